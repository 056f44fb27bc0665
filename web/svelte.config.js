// Compiler options. `fragments: 'tree'` builds elements by calls, so that no template ever goes through innerHTML.
export default {
  compilerOptions: { runes: true, fragments: 'tree' },
};
