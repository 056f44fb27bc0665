/** Who set a key, as the server words it: `default`, `env NAME`, `flag --name`, `user config.toml:3` or `FILE:3` of the project. */

/** Whose file a policy is changed in: the project's where it sets the policy now, otherwise the user's, which alone may loosen it. */
export function scopeOf(origin: string): 'project' | 'global' {
  const isUsers = origin === 'default' || /^(env|flag|user) /.test(origin);
  return isUsers || !/:\d+$/.test(origin) ? 'global' : 'project';
}
