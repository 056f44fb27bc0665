//! Small texts of every kind, written or generated here.

/// A kind of `STATED_ERROR` with a text of it.
pub fn all() -> Vec<(&'static str, String)> {
    let mut samples: Vec<(&str, String)> = WRITTEN.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect();
    samples.extend([
        ("base64", letters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 76, 16)),
        ("hex", letters("0123456789abcdef", 64, 20)),
        ("log lines", (0..20).map(log_line).collect()),
        ("white space", (0..60).map(table_line).collect()),
        ("emoji", (0..120).map(emoji).collect()),
    ]);
    samples
}

fn letters(alphabet: &str, width: usize, lines: usize) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut number = 1;
    let mut text = String::new();
    for _ in 0..lines {
        text.extend((0..width).map(|_| alphabet[next(&mut number) as usize % alphabet.len()]));
        text.push('\n');
    }
    text
}

/// A linear congruential generator; its upper bits are random enough for letters.
fn next(number: &mut u64) -> u64 {
    *number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *number >> 33
}

fn log_line(line: u64) -> String {
    let mut number = line + 7;
    let [second, milli, port, took] = [60, 1000, 50_000, 900].map(|limit| next(&mut number) % limit);
    let level = ["INFO", "WARN", "DEBUG"][next(&mut number) as usize % 3];
    format!(
        "2026-03-14 09:{:02}:{second:02},{milli:03} {level} worker-{} gateway.proxy - GET /api/v2/orders/{port} -> 200 in {took} ms\n",
        line,
        line % 4
    )
}

fn table_line(line: u64) -> String {
    let mut number = line + 3;
    let indent = " ".repeat(next(&mut number) as usize % 30);
    let gap = " ".repeat(2 + next(&mut number) as usize % 12);
    format!("{indent}{}{gap}{}{}", next(&mut number) % 1000, next(&mut number) % 90, "\n".repeat(1 + line as usize % 3))
}

fn emoji(place: u64) -> String {
    let mut number = place + 11;
    let known = ["👩‍💻", "👍🏽", "❤️", "✅", "🚀", "🎉", "🇫🇷", "🔥", "🙏", "😂", "🏳️‍🌈", "👀", "💡", "🐛", "📦"];
    let gap = ["", "", " ", "\n"][next(&mut number) as usize % 4];
    known[next(&mut number) as usize % known.len()].to_owned() + gap
}

const WRITTEN: [(&str, &str); 12] = [
    (
        "english prose",
        "The harbour was quiet when the first boats came back. Nobody spoke of the storm, although everyone had seen the black line \
of cloud along the horizon and had counted the minutes until the rain began. In the kitchen of the inn a woman was cutting bread, \
slowly, as if the day had no end. \"You will stay for supper,\" she said, and it was not a question. He put his wet coat over the \
chair, sat down by the stove and thought about the letter he hadn't answered. Outside, the wind turned to the north; the lamps \
along the pier went out one after another, and the town seemed to draw a little closer to the hills behind it.\n",
    ),
    (
        "python",
        "from __future__ import annotations\n\nimport json\nfrom dataclasses import dataclass, field\n\n\n@dataclass\nclass Account:\n    \
\"\"\"An account with a balance in cents.\"\"\"\n\n    owner: str\n    balance: int = 0\n    history: list[tuple[str, int]] = \
field(default_factory=list)\n\n    def deposit(self, amount: int) -> None:\n        if amount <= 0:\n            raise \
ValueError(f\"amount must be positive: {amount}\")\n        self.balance += amount\n        self.history.append((\"deposit\", \
amount))\n\n    def to_json(self) -> str:\n        return json.dumps({\"owner\": self.owner, \"balance\": self.balance})\n\n\ndef \
total(accounts: list[Account]) -> int:\n    return sum(account.balance for account in accounts)\n",
    ),
    (
        "rust",
        "use std::collections::BTreeMap;\n\n/// Counts how often each word occurs.\npub fn count_words(text: &str) -> BTreeMap<&str, \
usize> {\n    let mut counts = BTreeMap::new();\n    for word in text.split_whitespace() {\n        *counts.entry(word).or_insert(0) \
+= 1;\n    }\n    counts\n}\n\nimpl<T: Clone + Ord> Queue<T> {\n    pub fn push(&mut self, item: T) -> Result<(), QueueError> {\n        \
if self.items.len() >= self.capacity {\n            return Err(QueueError::Full { capacity: self.capacity });\n        }\n        \
self.items.push_back(item);\n        Ok(())\n    }\n}\n",
    ),
    (
        "json",
        "{\n  \"name\": \"weather-station\",\n  \"version\": \"2.4.1\",\n  \"sensors\": [\n    {\"id\": 17, \"type\": \"temperature\", \
\"unit\": \"celsius\", \"value\": 21.5, \"active\": true},\n    {\"id\": 18, \"type\": \"humidity\", \"unit\": \"percent\", \"value\": \
48.25, \"active\": false},\n    {\"id\": 19, \"type\": \"pressure\", \"unit\": \"hPa\", \"value\": 1013.2, \"active\": null}\n  ],\n  \
\"location\": {\"latitude\": 47.3769, \"longitude\": 8.5417, \"altitude\": 408},\n  \"tags\": [\"outdoor\", \"roof\", \"north\"],\n  \
\"updated_at\": \"2026-02-28T06:15:00Z\"\n}\n",
    ),
    (
        "minified",
        "!function(e,t){\"object\"==typeof exports?module.exports=t():e.Queue=t()}(this,function(){\"use strict\";function \
e(e){this.a=[],this.n=e||1/0}return e.prototype.push=function(e){if(this.a.length>=this.n)throw new Error(\"queue is \
full\");return this.a.push(e),this},e.prototype.pop=function(){return this.a.length?this.a.shift():void \
0},e.prototype.map=function(t){for(var n=new e(this.n),r=0,o=this.a.length;r<o;r++)n.push(t(this.a[r],r));return \
n},Object.defineProperty(e.prototype,\"size\",{get:function(){return this.a.length},enumerable:!0}),e});\n",
    ),
    (
        "latin languages",
        "Als der Zug endlich in den kleinen Bahnhof einfuhr, war es schon dunkel, und über den Dächern lag dünner Nebel. Niemand \
wartete auf dem Bahnsteig. Er stellte den Koffer ab, suchte nach dem Zettel mit der Adresse und fragte schließlich einen Mann, der \
die Fahrpläne wechselte. La rue est au bout de la place, répondit celui-ci, derrière l'église; vous verrez une porte bleue. El \
viajero dio las gracias y echó a andar bajo la lluvia, pensando en la habitación que había dejado por la mañana.\n",
    ),
    (
        "chinese",
        "清晨的市场已经热闹起来，卖菜的人把新鲜的蔬菜摆在路边，孩子们背着书包从旁边跑过。老人坐在茶馆门口看报纸，偶尔抬起头来和邻居打招呼。\
今天的天气很好，阳光照在河面上，水波轻轻地闪动。我们决定沿着河走到桥的另一边，看看那里新开的书店。书店不大，但是有很多关于历史和技术的书，\
店主说每个星期都会有人来这里讨论问题。\n",
    ),
    (
        "japanese",
        "朝早く起きて、駅まで歩いて行きました。空気は冷たかったけれど、とても気持ちがよかったです。電車の中では、ほとんどの人が静かに本を読んだり、\
スマートフォンを見たりしていました。会社に着くと、まず昨日のメールを確認し、それから新しいプログラムの設計について同僚と話し合いました。\
テストが終わったら、ドキュメントを更新する予定です。\n",
    ),
    (
        "korean",
        "아침에 일어나 창문을 열어 보니 밤새 눈이 많이 내려 있었다. 아이들은 벌써 밖에 나가 눈사람을 만들고 있었고, 이웃 사람들은 길을 치우고 있었다. \
나는 따뜻한 커피를 마시면서 오늘 해야 할 일을 정리했다. 먼저 보고서를 끝내고, 오후에는 새로운 프로그램을 시험해 볼 생각이다. 저녁에는 오랜만에 \
친구들과 만나서 식사를 하기로 했다.\n",
    ),
    (
        "cyrillic",
        "Утром над рекой стоял густой туман, и с моста не было видно другого берега. Старик медленно шёл по набережной, останавливался \
у каждой скамейки и смотрел на воду. Он приехал в этот город много лет назад, чтобы построить дом и забыть о войне. Теперь дом был \
построен, дети выросли и уехали, а он всё ещё каждое утро приходил сюда и ждал, когда поднимется солнце и появятся первые лодки.\n",
    ),
    (
        "arabic",
        "في الصباح الباكر خرج الرجل من بيته ومشى نحو السوق القديم. كانت الشوارع هادئة، ولم يكن هناك سوى بعض الباعة الذين يفتحون \
دكاكينهم. اشترى الخبز والزيتون، ثم جلس في المقهى ينتظر صديقه الذي لم يره منذ سنوات طويلة. تحدثا عن العمل والعائلة وعن المدينة \
التي تغيرت كثيرا، واتفقا على اللقاء مرة أخرى في نهاية الأسبوع.\n",
    ),
    (
        "devanagari",
        "सुबह होते ही गाँव के लोग अपने काम में लग गए। बच्चे स्कूल जाने के लिए तैयार हो रहे थे और उनकी माँ रसोई में खाना बना रही थी। खेतों के पास \
एक पुराना पेड़ था, जिसके नीचे बूढ़े लोग बैठकर बातें करते थे। आज उन्होंने तय किया कि वे मिलकर नया कुआँ खोदेंगे, क्योंकि पिछले साल बारिश बहुत \
कम हुई थी और पानी की समस्या बढ़ गई थी।\n",
    ),
];
