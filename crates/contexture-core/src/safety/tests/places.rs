//! Places in which secrets were missed once: tables, calls, commands, the line below, elements, substitutes of references; and keys in other forms.

use super::recall::{ALNUM, Dice, HEX};
use super::scan;

/// Where a password stands. Each is tried with passwords of several sorts.
const PASSWORDS: &[&str] = &[
    // Tables.
    "id,name,password\n1,bob,{v}\n",
    "user,password,email\r\nbob,{v},b@x.io\r\n",
    "\"user\",\"password\",\"email\"\n\"Doe, Bob\",\"{v}\",\"b@x.io\"\n",
    "user;Password;role\nal;-;dev\nbob;{v};dev\n",
    "user\tpassword\temail\nbob\t{v}\tb@x.io\n",
    "login,pass\nbob,{v}\n",
    "| user | password | role |\n|------|:--------:|------|\n| bob | {v} | dev |\n",
    "| user | password |\n|---|---|\n| bob | `{v}` |\n",
    "user | password\n--- | ---\nbob | {v}\n",
    "INSERT INTO users (name, password, role)\nVALUES ('bob', '{v}', 'x');\n",
    // The line below, and a type between.
    "password:\n  {v}\n",
    "password =\n    '{v}';\n",
    "password = (\n    \"{v}\"\n)\n",
    "DB_PASSWORD=\\\n{v}\n",
    "var Password string = `{v}`\n",
    "public string Password { get; set; } = \"{v}\";\n",
    "char password[] = \"{v}\";\n",
    "db_password: str = Field(default=\"{v}\")\n",
    // Elements.
    "<password>\n  {v}\n</password>",
    "<password><![CDATA[{v}]]></password>",
    "<key>Password</key>\n<string>{v}</string>",
    "<string name=\"db_password\">{v}</string>",
    "<property name=\"password\"><value>{v}</value></property>",
    "<tr><td>Password</td><td>{v}</td></tr>",
    "<input type=\"password\" name=\"p\" value=\"{v}\">",
    // Substitutes, and names that are strings.
    "password = process.env.DB_PASSWORD || '{v}';",
    "password = os.environ.get(\"DB_PASSWORD\", \"{v}\")",
    "password = os.getenv('DB_PASSWORD') or '{v}'",
    "define('DB_PASSWORD', '{v}');",
    "props.put(\"password\", \"{v}\");",
    "[\"--password\", \"{v}\"]",
    "args:\n  - --password\n  - {v}\n",
    "DB_PASSWORD ?= {v}\n",
    "password <- \"{v}\"",
    "set -x DB_PASSWORD {v}\n",
    // Calls and words.
    "requests.get(url, auth=('admin', '{v}'))",
    "HTTPBasicAuth('admin', '{v}')",
    "new NetworkCredential(\"user\", \"{v}\")",
    "new mysqli('localhost', 'root', '{v}', 'db');",
    "DriverManager.getConnection(url(a, b), \"root\", \"{v}\");",
    "CREATE USER 'a'@'%' IDENTIFIED BY '{v}';",
    "ConvertTo-SecureString \"{v}\" -AsPlainText -Force",
    "requirepass {v}\n",
    "app:{v}@tcp(db:3306)/x",
    // Commands.
    "docker login -u bob -p {v} ghcr.io",
    "redis-cli -h r -a {v} ping",
    "ldapsearch -D cn=admin -w {v} -b dc=x",
    "openssl enc -aes-256-cbc -pass pass:{v} -in f",
    // Other words for it, and Markdown.
    "{ user: 'a', pass: '{v}' }",
    "DB_PW={v}\n",
    "Kennwort = \"{v}\"",
    "senha = \"{v}\"",
    "contraseña: \"{v}\"",
    "пароль: {v}\n",
    "- **Password:** {v}\n",
    "**Password**: `{v}`\n",
];

/// Where a key stands that has no shape of its own.
const TOKENS: &[&str] = &[
    "service,api_key,owner\nmaps,{v},bob\n",
    "Access key ID,Secret access key\nx,{v}\n",
    "| service | api key |\n|---|---|\n| maps | `{v}` |\n",
    "| Key | Value |\n|---|---|\n| API key | `{v}` |\n",
    "INSERT INTO keys (name, api_key) VALUES ('a', 'b'), ('c', '{v}');",
    "https://maps.internal/json?key={v}&q=1",
    "https://acct.blob.internal/c?sv=2022-11-02&sig={v}",
    "next=https%3A%2F%2Fx.io%2F%3Ftoken%3D{v}%26b%3D1",
    "ACME_KEY={v}\n",
    "Ocp-Apim-Subscription-Key: {v}",
    "Authorization: token {v}",
    "'Authorization': 'ApiKey {v}'",
    "\"Authorization\": \"{v}\"",
    ".header(\"X-Api-Key\", \"{v}\")",
    ".bearer_auth(\"{v}\")",
    "os.environ.setdefault(\"API_KEY\", \"{v}\")",
    "api_key:\n  {v}\n",
    "<key>API_KEY</key>\n<string>{v}</string>",
    "<meta-data android:name=\"com.x.API_KEY\" android:value=\"{v}\"/>",
    "{\"key\": \"api_key\",\n \"type\": \"text\",\n \"value\": \"{v}\"}",
    "new BasicAWSCredentials(\"x\", \"{v}\")",
    "jwt.sign(payload, '{v}')",
    "My API key is {v}.",
    "use token `{v}` for now",
    "setenv ACME_TOKEN {v}\n",
];

fn assert_found(text: &str, value: &str) {
    let found: Vec<&str> = scan(text).into_iter().map(|finding| &text[finding.range]).collect();
    assert_eq!(found, [value], "{text}");
}

#[test]
fn passwords_are_found_where_they_were_missed() {
    let mut dice = Dice(20_261_120);
    for place in PASSWORDS {
        for nth in 0..8 {
            let value = match nth % 4 {
                0 => format!("{}7{}k2{}", dice.word(ALNUM, 5), dice.word(ALNUM, 4), dice.word(ALNUM, 5)),
                1 => format!("{}9!{}#", dice.word(ALNUM, 5), dice.word(ALNUM, 5)),
                2 => format!("Harbor{}!", 2000 + dice.next(99)),
                _ => dice.word(HEX, 16).replace(['0', '1', '2'], "7") + "e4",
            };
            assert_found(&place.replace("{v}", &value), &value);
        }
    }
}

#[test]
fn keys_without_a_shape_are_found_where_they_were_missed() {
    let mut dice = Dice(20_261_121);
    for place in TOKENS {
        for value in [dice.word(HEX, 40), dice.word(ALNUM, 32), dice.word(ALNUM, 43)] {
            assert_found(&place.replace("{v}", &value), &value);
        }
    }
}

#[test]
fn keys_in_other_forms_are_found() {
    let mut dice = Dice(20_261_122);
    let lines: Vec<String> = (0..6).map(|_| dice.word(ALNUM, 64)).collect();
    let secret = |text: &str, part: &str| {
        let found: Vec<&str> = scan(text).into_iter().map(|finding| &text[finding.range]).collect();
        assert!(found.iter().any(|value| value.contains(part)), "{text}: {found:?}");
    };
    // As base64, on one line and on several; that of a certificate is public.
    let first = ["LS0tLS1CRUdJTi", "BSU0EgUFJJVkFURSBLRVktLS0tLQp"].concat();
    secret(&format!("tls.key: {first}{}\n", lines.concat()), &lines[5]);
    secret(
        &format!("tls.key: |\n    {first}{}\n    {}\n    {}\n", lines[0], lines[1], &lines[2][..20]),
        &lines[2][..20],
    );
    assert_eq!(scan(&format!("tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0t{}\n", lines.concat())), []);
    let putty =
        format!("Public-Lines: 1\n{}\nPrivate-Lines: 2\n{}\n{}\nPrivate-MAC: 00\n", lines[0], lines[1], lines[2]);
    secret(&putty, &lines[1]);
    secret(&putty, &lines[2]);
    assert!(scan(&putty).iter().all(|finding| !putty[finding.range.clone()].contains(&lines[0])));
    let jwk = format!("{{\"kty\":\"EC\",\"x\":\"{}\",\"d\":\"{}\"}}", &lines[3][..43], &lines[4][..43]);
    assert_found(&jwk, &lines[4][..43]);
    assert_found(&jwk.replace("\"kty\":\"EC\",", "").replace('}', ",\"kty\":\"EC\"}"), &lines[4][..43]);
    let phrase = "maple orbit candle velvet thunder staple harbor kettle wizard falcon summer tiger";
    assert_found(&format!("MNEMONIC=\"{phrase}\""), phrase);
    assert_found("SMTP_PASSWORD='qzvk jrxw bnfp xkdq'", "qzvk jrxw bnfp xkdq");
    let key = format!("0x{}", dice.word(HEX, 64));
    assert_found(&format!("PRIVATE_KEY={key}"), &key);
    let noise = "k7$x(9v@z!q2*w8^j-p4#n6=t1+b3&m5_c0)r%";
    assert_found(&format!("SECRET_KEY = '{noise}'"), noise);
    let long = dice.word(&(ALNUM.to_owned() + "+/"), 900);
    assert_found(&format!("aws_session_token = {long}"), &long);
}

#[test]
fn a_table_ends_where_its_rows_do() {
    let text = "user,password\nbob,Xk29fLq8Wm\n\nx,Yk29fLq8Wn\n";
    assert_found(text, "Xk29fLq8Wm");
    // In the middle of a table a row is no title.
    assert_eq!(scan("kind,text\ntoken,secret\nq,Xk29fLq8Wm4f7Jk2Lm9Qx8Z\n"), []);
}
