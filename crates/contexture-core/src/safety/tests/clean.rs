//! What looks like a secret and is none.

use super::scan;

fn assert_clean(texts: &str) {
    for line in texts.lines() {
        let found: Vec<_> = scan(line).into_iter().map(|finding| (finding.rule, &line[finding.range])).collect();
        assert!(found.is_empty(), "{line}: {found:?}");
    }
    assert!(scan(texts).is_empty(), "{:?}", scan(texts));
}

#[test]
fn placeholders() {
    assert_clean(
        "password = \"changeme\"
password: \"your-password-here\"
api_key = \"your-api-key\"
API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx
token = \"<token>\"
secret: \"********\"
token: \"aaaaaaaaaaaaaaaaaaaaaaaa\"
api_key = \"1234567890abcdef1234567890abcdef\"
password = \"example-password-123\"
AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
token = \"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"
export OPENAI_API_KEY=\"sk-...\"
ANTHROPIC_API_KEY=sk-ant-your-key-here-please-and-thanks
secret = \"test\"
password = \"password\"
password = \"secret123\"
postgres://user:password@localhost/db
postgres://postgres:postgres@localhost:5432/postgres
redis://:${REDIS_PASSWORD}@redis:6379
mysql://root:<password>@host/db
http://:%3A%40c@d:2/ and https://user:pass%5B%7F@foo/bar
[REDACTED:generic-api-key]
api_key = \"[REDACTED:generic-api-key]\"",
    );
}

#[test]
fn references() {
    assert_clean(
        "password = os.environ[\"DB_PASSWORD\"]
password = os.environ.get(\"DB_PASSWORD\")
const token = process.env.GITHUB_TOKEN;
token: ${{ secrets.GITHUB_TOKEN }}
password: ${DB_PASSWORD}
API_KEY=$API_KEY
apiKey: {{ .Values.apiKey }}
secret = settings.SECRET_KEY
password = getpass.getpass()
let token = get_token(&client)?;
self.password = password
token = self.tokenizer.next_token()
token: String,
password: &'a str,
secretKeyRef: name
token = Some(parse_token(input)?);
var password = args[1];
password=%(password)s
passwordField = new JPasswordField(20);
api_key: env:OPENAI_API_KEY
password = vault:secret/data/app#password
if password == expected_password_value_1 {
TOKEN_TYPE = \"identifier_with_underscores_9\"
password_hash = \"5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8\"
public_key_token=b77a5c561934e089",
    );
}

#[test]
fn hashes_ids_and_numbers() {
    assert_clean(
        "checksum = \"261b646eb2c24e6230c14198ad8f5e86366c1cbdd84cef113ddfa890fd0dec4d\"
\"integrity\": \"sha512-RX6FvlZK0i4vy2ZlAy0yRWqMJTpVGQcvfSNvVqBuvUlYwXyRZ3bJXGUTdxpYZWTJlm6ZdQJQ9IYw==\"
js-tokens@^3.0.0 || ^4.0.0:
  resolved \"https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#19203fb59991df98e3a287050d4647cdeaf32499\"
commit da39a3ee5e6b4b0d3255bfef95601890afd80709
id: 550e8400-e29b-41d4-a716-446655440000
token: 550e8400-e29b-41d4-a716-446655440000
image: nginx@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
max_tokens = 4096
tokens: 128000
const PASSWORD_EXPIRED: u32 = 2151809298u32;
const SCSI_PASS_THROUGH: u32 = 315412u32;
<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==\">
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
The password must have 12 characters, 1 digit, and 1 symbol.
Basic HTTP authentication and Bearer tokens are explained below.
password: must be at least 8 characters
Enter the secret: it is shown once.
fn tokenize(text: &str) -> Vec<Token> { lexer::tokens(text) }
secretary: \"Alice Example-Smith 2024\"",
    );
}

#[test]
fn words_that_begin_like_tokens() {
    assert_clean(
        "task-runner risk-free disk-usage sk-learn desk-top
npm_config_registry=https://registry.npmjs.org
hf_hub_download(repo_id, filename)
xai-sdk pplx-embed gsk_test
SKU12345 MSG.send SG.append(list_of_things)
eyJ is how base64 of an object begins
key-value pairs and key-12 things
render_token(Token::Identifier, \"with_a_long_name_in_it\")
https://user@example.com/path
https://github.com/a/b@v1.2.3
ssh://git@github.com/owner/repo.git
email: someone@host.example",
    );
}

#[test]
fn tables_calls_and_sentences() {
    for text in [
        "| Parameter | Type | Description |\n|---|---|---|\n| password | string | The password of user1 |\n| token | uuid4 | x |",
        "Name,Password policy,Expires\nx,strong-12-characters,90d",
        "Password,Description\nrequired2,the password of the user",
        "| Token | Meaning |\n|---|---|\n| `IDENT_1` | identifier |\n| `LPAREN2` | paren |",
        "name,tokens,cost\ngpt-4o,128000,0.0025",
        "INSERT INTO users (name, password) VALUES (?, ?), ('a', 'password')",
        "password:\n  type: string2\n",
        "password =\n    get_password_v2();",
        "{\"kty\":\"EC\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\",\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}",
    ] {
        assert!(scan(text).is_empty(), "{text}: {:?}", scan(text));
    }
    assert_clean(
        "\"password\": \"Contraseña\", \"password\": \"Пароль\"
KAT_KEY: &[u8] = b\"0123456789abcdef0123456789abcdef\"
[\"hunter2secret\", \"ghp_0123456789abcdefghij0123\"]
(\"ratelimit-tokens-at\", \"2026-10-21T07:28:12Z\")
token_pattern2 = \"[A-Za-z0-9_]{20,}(?:-[a-f0-9]{8})+\"
[\"password\", \"secret\", \"token\", \"api_key\"]
map.put(\"token\", \"identifier_2\");
define('AUTH_KEY', 'put your unique phrase here');
password = os.environ.get(\"DB_PASSWORD\", \"postgres\")
password = process.env.DB_PASSWORD || ''
new NetworkCredential(user, password2)
requests.get(url, auth=(\"user\", \"pass\"))
jwt.sign({ id: user.id }, secret, { expiresIn: '30d2h' })
jwt.verify(token, \"secret\")
headers.set('Authorization', `Bearer ${accessToken}`)
Authorization: token YOUR-TOKEN-HERE
Authorization: Basic dXNlcjpwYXNzd29yZA==
Authorization: AWS4-HMAC-SHA256 Credential=
\"authorization\": \"authorization_code\"
the password is base64-encoded and hashed with sha512
password_hasher = \"pbkdf2_sha256\"
password_encryption = scram-sha-256
render_pass: \"main_pass_01\"
\"pass\": \"vertex-shader-2\"
PASS: test_foo_123
to pass '{invalid}{arg}{invalid:#}' as a value
rows in the table identified by sqlite_stat1.tbl.
CACHE_KEY = \"user_profile_cache_v12\"
PUBLIC_KEY=p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q
https://maps.googleapis.com/maps/api/js?key=API_KEY&callback=initMap
jdbc:postgresql://localhost:5432/db?user=postgres&password=postgres
key_mgmt=WPA-PSK2 psk: wpa2-psk
<td>Password</td><td>string</td>
<input type=\"password\" placeholder=\"Password123\">
the mnemonic is shown in the menu as one letter that the user can press down
mnemonic = \"MOVAPS xmm1, xmm2\"
re_compile_fastmap_internal_v2 fw_version_number_1_2_3 fc-cache-2 t1.column_name.other_name",
    );
}

#[test]
fn what_stands_apart_from_a_name_and_is_none() {
    for text in [
        "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: x",
        "- name: DB_PASSWORD\n  value: changeme",
        "- name: DB_PASSWORD\n  value: \"$(OTHER_PASSWORD)\"",
        // The value of another name.
        "- name: TOKEN\n- name: x\n  value: aB3dE6gH9jK2mN5pQ8sT1vW4",
        "variable \"db_password\" { type = string }\nvariable \"x\" { default = \"aB3dE6gH9jK2\" }",
        "variable \"db_password\" {\n  type = string\n}\nvariable \"b\" {\n  default = \"aB3dE6gH9jK2\"\n}",
        "variable \"db_password\" {\n  default = var.other_9\n}",
        "password: |\n  Enter your password of 12 characters",
        "password: |\n  ${PASSWORD}",
    ] {
        assert!(scan(text).is_empty(), "{text}: {:?}", scan(text));
    }
    assert_clean(
        "ENV DB_PASSWORD $PASS
ENV PASSWORD_FILE /run/secrets/x1y2z3
machine x.internal login me password PASSWORD
machine x.internal login me password <token>
The login and password fields2024 are shown.
curl -u user:password https://x.internal
curl -u \"$USER:$PASS1234!\" https://x.internal
curl -u admin:${TOKEN9} https://x.internal
mysql -p3306 db
mysql -pmy-secret-pw db
mysql -u root -p database99name
mysql -p$MYSQL_PASSWORD9 db
mkdir -p8080abcd
setPassword(\"password\")
setPassword(\"new_password_field\")
getPassword(\"aB3dE6gH9jK2\")
user.setPassword(encoder.encode(raw2))
form.password(\"Enter your password\")
<add key=\"Password\" value=\"\"/>
<input name=\"password\" value=\"{{ form.password }}\">
<property name=\"password\" value=\"${db.password}\"/>
ParameterKey=DBPassword,ParameterValue=changeme
http://user:pass1@example.com/
http://user:secret@example.org:80/
https://user:hunter2@example.net
my_hf_model_for_generating_text_in_many_languages
test_sk_test_function_for_something",
    );
}
