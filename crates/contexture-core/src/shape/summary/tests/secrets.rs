//! Secrets in lines of every kind are masked; what only refers to them stays readable.

use super::super::secret::{mask_statements, mask_words};
use super::summary;

fn masked(line: &str) -> String {
    mask_words(&mask_statements(line))
}

#[test]
fn values_of_secret_keys() {
    for (line, shown) in [
        ("password = \"hunter2\"", "password = \"***\""),
        ("  secret_key      = \"hunter2\" # why", "  secret_key      = \"***\" # why"),
        ("# password: hunter2", "# password: ***"),
        ("# password: hunter2 for staging", "# password: *** for staging"),
        ("passwords = [\"hunter2\", \"hunter2\"]", "passwords = [***]"),
        ("passwords: ['hunter2', \"hunter2\"", "passwords: [***"),
        ("'db_password' => 'hunter2',", "'db_password' => '***',"),
        ("{\"id\": 1, \"password\": \"hunter2\", \"n\": 2}", "{\"id\": 1, \"password\": \"***\", \"n\": 2}"),
        ("{\"token\": \"hunter2", "{\"token\": \"***"),
        ("params['password'] = b'hunter2'", "params['password'] = b'***'"),
        ("if password == \"hunter2\":", "if password == \"***\":"),
        ("API key: hunter2", "API key: ***"),
        ("export DB_PASSWORD=hunter2", "export DB_PASSWORD=***"),
        ("tool --password hunter2 --port 1", "tool --password *** --port 1"),
        ("Authorization: Bearer hunter2", "Authorization: Bearer ***"),
        ("curl -H 'Authorization: Basic aHVudGVyMg=='", "curl -H 'Authorization: Basic ***'"),
        ("send Bearer hunter2", "send Bearer ***"),
        ("send Bearer XXX", "send Bearer ***"),
        ("headers = {\"Authorization\": \"Token hunter2\"}", "headers = {\"Authorization\": \"Token ***\"}"),
        ("CREATE USER a IDENTIFIED BY 'hunter2' WITH x", "CREATE USER a IDENTIFIED BY '***' WITH x"),
        ("create role a login password 'hunter2';", "create role a login password '***';"),
        ("password: ${X:-hunter2}", "password: ***"),
        ("password = os.environ.get(\"PASSWORD\", \"hunter2\")", "password = os.environ.get(\"PASSWORD\", \"***\")"),
        ("password: process.env.PASSWORD || 'hunter2',", "password: process.env.PASSWORD || '***',"),
        ("SECRET_KEY = 'hunter2\\'hunter2'", "SECRET_KEY = '***'"),
    ] {
        assert_eq!(masked(line), shown);
    }
}

#[test]
fn references_stay() {
    let lines = [
        "password: str",
        "def f(password: str, token: Optional[str] = None) -> Secret:",
        "fn login(password: &str, token: Option<String>) -> bool {",
        "password?: string;",
        "token = get_token()",
        "password = os.environ[\"DB_PASSWORD\"]",
        "password = getenv('DB_PASSWORD')",
        "password = process.env.PASSWORD",
        "password: ${DB_PASSWORD}",
        "password = \"${var.password}\"",
        "password: {{ vault_password }}",
        "connect(user=user, password=password)",
        "Password: the user must set one.",
        "Basic usage and Bearer tokens",
        "Basic HTTP authentication",
        "imports: a::auth::token, b",
        "max_tokens: 400",
        "use auth::Token;",
        "self.password = password",
        "password = None",
        "token = response.token",
        "fn login(secret: Secret, password: NSString)",
        "secret: SecretKey,",
    ];
    for line in lines {
        assert_eq!(masked(line), line);
    }
}

#[test]
fn in_files_of_many_kinds() {
    let padding = "\n".repeat(2000);
    for (path, text) in [
        ("a.tf", "resource \"x\" \"y\" {\n  password = \"hunter2\"\n}\n"),
        ("a.sh", "# Starts it.\n# password: hunter2\n"),
        ("a.csv", "id,password,n\n1,hunter2,3\n2,\"a,hunter2\",4\n"),
        ("a.tsv", "id\tapi_token\n1\thunter2\n"),
        ("a.jsonl", "{\"id\": 1, \"password\": \"hunter2\"}\n"),
        ("a.md", "# A\n\nUse password: hunter2 here.\n"),
        ("a.py", "\"\"\"Login with token='hunter2' here.\"\"\"\n"),
        ("a.sql", "CREATE USER a IDENTIFIED BY 'hunter2';\n"),
    ] {
        let shown = summary(path, &format!("{text}{padding}"));
        assert!(!shown.contains("hunter2") && shown.contains("***"), "{path}: {shown}");
    }
}
