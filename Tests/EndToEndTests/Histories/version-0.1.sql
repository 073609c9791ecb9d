PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started INTEGER NOT NULL,
  finished INTEGER,
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  environment TEXT NOT NULL,
  server TEXT,
  version TEXT NOT NULL,
  scenario TEXT,
  step INTEGER,
  push_type TEXT,
  topic TEXT,
  headers TEXT NOT NULL,
  payload TEXT NOT NULL,
  variables TEXT NOT NULL,
  settings TEXT NOT NULL,
  at_most_once INTEGER NOT NULL,
  id_high INTEGER NOT NULL,
  id_low INTEGER NOT NULL,
  apns_id TEXT,
  expiration INTEGER,
  owner_pid INTEGER,
  owner_host TEXT,
  summary TEXT
) STRICT;
INSERT INTO runs VALUES(1,1795351215175,1795351215809,'finished','send','https://127.0.0.1:1','https://127.0.0.1:1','0.1.0',NULL,NULL,'alert','com.example.app','{"apns-topic":"com.example.app","apns-push-type":"alert","apns-priority":"10"}','{"aps":{"alert":{"title":"Hello"}}}','{}','{"words":["--tokens-format","txt","--duplicates","first","--limit","2","--shard","1/1","--timeout","5s","--retries","2","--retry-delay","1m","--connections","2","--rate","50/s","--no-breaker","--server","https://127.0.0.1:1","--key","AuthKey_ABC123DEFG.p8","--key-id","ABC123DEFG","--team-id","DEF123GHIJ"],"folder":"FOLDER","recipients":[{"path":"list.txt","fingerprint":"45:1795351199202239289:855d5b94294646cd31fd322f2358403e73b7c9d2cbdbd7660f227ad6cc301e87"}],"suppressed":[{"path":"no.txt","fingerprint":"7:1795351199202239289:ef58d81f9414414b5f843abedea6111fa2fd864a85c31c3d2d5b22916c965b5f"}],"isTemplate":false}',0,1098087423835538367,1512,NULL,NULL,NULL,NULL,replace('{"run":1,"environment":"https://127.0.0.1:1","lines":2,"total":2,"accepted":0,"rejected":0,"skipped":0,"deferred":0,"unknown":0,"notAttempted":2,"badLines":0,"duplicates":0,"suppressed":0,"otherShards":0,"reasons":{},"resentInDoubt":0,"seconds":0.505952353,"pushesPerSecond":0.0,"latency":{"p50":null,"p95":null,"p99":null}}\n','\n',char(10)));
INSERT INTO runs VALUES(2,1795351215994,1795351216327,'finished','send','https://127.0.0.1:1','https://127.0.0.1:1','0.1.0',NULL,NULL,'alert','com.example.app','{"apns-push-type":"alert","apns-topic":"com.example.app","apns-priority":"10"}','{"aps":{"alert":"Hi {{name|default(''you'')}}"}}','{}','{"words":["--tokens-format","txt","--duplicates","first","--timeout","30s","--retries","0","--retry-delay","15m","--at-most-once","--server","https://127.0.0.1:1","--key","AuthKey_ABC123DEFG.p8","--key-id","ABC123DEFG","--team-id","DEF123GHIJ","--keep-payloads"],"folder":"FOLDER","recipients":[{"path":"list.txt","fingerprint":"45:1795351199202239289:855d5b94294646cd31fd322f2358403e73b7c9d2cbdbd7660f227ad6cc301e87"}],"suppressed":[],"isTemplate":true}',1,929073077304111331,13353,NULL,NULL,NULL,NULL,replace('{"run":2,"environment":"https://127.0.0.1:1","lines":3,"total":3,"accepted":0,"rejected":0,"skipped":0,"deferred":0,"unknown":0,"notAttempted":3,"badLines":0,"duplicates":0,"suppressed":0,"otherShards":0,"reasons":{},"resentInDoubt":0,"seconds":0.323860303,"pushesPerSecond":0.0,"latency":{"p50":null,"p95":null,"p99":null}}\n','\n',char(10)));
CREATE TABLE progress (
  run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  claimed INTEGER NOT NULL DEFAULT 0,
  pass INTEGER NOT NULL DEFAULT 0,
  pass_claimed INTEGER NOT NULL DEFAULT 0,
  pass_due INTEGER NOT NULL DEFAULT 0,
  last INTEGER,
  accepted INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  deferred INTEGER NOT NULL DEFAULT 0,
  unknown INTEGER NOT NULL DEFAULT 0,
  not_attempted INTEGER NOT NULL DEFAULT 0,
  lines INTEGER,
  bad_lines INTEGER,
  duplicates INTEGER,
  suppressed INTEGER,
  other_shards INTEGER,
  is_indexed INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO progress VALUES(1,2,0,2,0,2,0,0,0,0,0,2,2,0,0,0,0,1);
INSERT INTO progress VALUES(2,3,0,3,0,3,0,0,0,0,0,3,3,0,0,0,0,1);
CREATE TABLE reasons (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE lists (
  id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO lists VALUES(1,'list.txt');
CREATE TABLE results (
  id INTEGER PRIMARY KEY,
  token BLOB NOT NULL,
  list INTEGER NOT NULL,
  line INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  status INTEGER,
  reason INTEGER,
  attempts INTEGER NOT NULL,
  deferrals INTEGER NOT NULL,
  pass INTEGER NOT NULL,
  latency INTEGER,
  at INTEGER NOT NULL,
  timestamp INTEGER,
  unique_id ANY,
  registered INTEGER,
  resent INTEGER NOT NULL
) STRICT;
INSERT INTO results VALUES(1099511627777,X'0a1b2c3d4e5f10',1,1,5,NULL,NULL,0,0,0,NULL,633,NULL,NULL,NULL,0);
INSERT INTO results VALUES(1099511627778,X'0a1b2c3d4e5f11',1,2,5,NULL,NULL,0,0,0,NULL,633,NULL,NULL,NULL,0);
INSERT INTO results VALUES(2199023255553,X'0a1b2c3d4e5f10',1,1,5,NULL,NULL,0,0,0,NULL,332,NULL,NULL,NULL,0);
INSERT INTO results VALUES(2199023255554,X'0a1b2c3d4e5f11',1,2,5,NULL,NULL,0,0,0,NULL,332,NULL,NULL,NULL,0);
INSERT INTO results VALUES(2199023255555,X'0a1b2c3d4e5f12',1,3,5,NULL,NULL,0,0,0,NULL,332,NULL,NULL,NULL,0);
CREATE TABLE token_tails (
  block INTEGER NOT NULL,
  first INTEGER NOT NULL,
  entries BLOB NOT NULL,
  PRIMARY KEY (block, first)
) STRICT, WITHOUT ROWID;
INSERT INTO token_tails VALUES(4194304,1028546320,X'0100407c39f500000200447c39f50000');
INSERT INTO token_tails VALUES(8388608,1028546320,X'0100407c39f500000200447c39f500000300487c39f50000');
CREATE TABLE payloads (id INTEGER PRIMARY KEY, payload BLOB NOT NULL) STRICT;
INSERT INTO payloads VALUES(2199023255553,X'7b22617073223a7b22616c657274223a22486920796f75227d7d');
INSERT INTO payloads VALUES(2199023255554,X'7b22617073223a7b22616c657274223a22486920796f75227d7d');
INSERT INTO payloads VALUES(2199023255555,X'7b22617073223a7b22616c657274223a22486920796f75227d7d');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('runs',2);
CREATE INDEX runs_identity ON runs (id_high);
CREATE INDEX runs_given_id ON runs (apns_id) WHERE apns_id IS NOT NULL;
CREATE INDEX results_reason ON results (reason) WHERE reason IS NOT NULL;
CREATE INDEX results_outcome ON results (outcome) WHERE outcome <> 0;
COMMIT;
PRAGMA user_version=2;
PRAGMA application_id=1717661286;
