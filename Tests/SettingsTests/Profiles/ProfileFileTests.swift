import APNS
import JSONText
import PushModel
import Settings
import Testing

@Suite("A file of profiles")
struct ProfileFileTests {
  private static let whole = """
    {
      // Every key.
      $schema: "fanfare.schema.json",
      default: "all",
      profiles: {
        all: {
          bundleID: "com.example.shop",
          environment: {server: "https://push.example.com:8443", ca: "ca.pem"},
          ca: "roots.pem", port: 2197, proxy: "http://proxy.example.com:3128",
          credentials: {key: "~/AuthKey_ABC123DEFG.p8", keyID: "ABC123DEFG", teamID: "DEF123GHIJ"},
          connections: 2, rate: "30/m", timeout: "5s", retries: 3, retryDelay: "10ms",
          history: "/var/history.sqlite", variables: {shop: "Corner", tables: 7},
        },
        none: {},
      },
    }
    """

  private func file(_ text: String, isOwn: Bool = false) throws(BrokenRules) -> ProfileFile {
    try ProfileFile(
      reading: Array(text.utf8), path: "../fanfare.json", home: "/home/ada", isOwn: isOwn)
  }

  @Test("is read with every key")
  func keys() throws {
    let file = try file(Self.whole)
    #expect(file.defaultName?.value == "all" && file.profiles.map(\.name) == ["all", "none"])
    let profile = file.profiles[0].settings
    #expect(profile.bundleID?.value == "com.example.shop")
    let server = ServerAddress(host: "push.example.com", port: 8443)
    #expect(profile.environment?.value == .named(.server(server)))
    #expect(profile.port?.value == 2197 && profile.proxy?.value == "http://proxy.example.com:3128")
    #expect(profile.connections?.value == .fixed(2) && profile.retries?.value == 3)
    #expect(profile.rate?.value.text == "30/m")
    #expect(profile.timeout?.value.milliseconds == 5000)
    #expect(profile.retryDelay?.value.milliseconds == 10)
    #expect(profile.variables.mapValues(\.value) == ["shop": "Corner", "tables": 7])
  }

  @Test(
    "leaves the number of connections to each run, or names it", arguments: ["'auto'", "1", "64"])
  func connections(_ count: String) throws {
    let profile = try file("{profiles: {a: {connections: \(count)}}}").profiles[0].settings
    #expect(profile.connections?.value.text == count.replacing("'", with: ""))
  }

  @Test("has paths that count from its folder, from home, or from the root")
  func paths() throws {
    let profile = try file(Self.whole).profiles[0].settings
    #expect(profile.serverCA?.value == "../ca.pem" && profile.ca?.value == "../roots.pem")
    #expect(profile.history?.value == "/var/history.sqlite")
    #expect(profile.key?.value == .file("/home/ada/AuthKey_ABC123DEFG.p8"))
  }

  @Test("tells where each key stands")
  func origins() throws {
    let file = try file(Self.whole)
    let profile = file.profiles[0].settings
    #expect(file.defaultName?.origin == origin(4, 12))
    #expect(profile.teamID?.origin == origin(10, 74))
    #expect(profile.environment?.origin == origin(8, 7) && profile.serverCA?.origin == origin(8, 7))
    #expect(profile.variables["tables"]?.origin == origin(12, 67))
  }

  private func origin(_ line: Int, _ column: Int) -> Origin {
    .file("../fanfare.json", at: JSONPosition(line: line, column: column))
  }

  @Test("leaves out what it does not say")
  func nothing() throws {
    #expect(try file(Self.whole).profiles[1].settings == Settings())
    #expect(try file("{}").profiles.isEmpty)
  }

  static let broken: [(text: String, place: String, line: Int, column: Int, says: String)] = [
    ("[]", "profile", 1, 1, "not an object"),
    ("{profils: {}}", "profils", 1, 2, "Did you mean 'profiles'?"),
    ("{default: 7}", "default", 1, 11, "'default' is a number, not text."),
    ("{profiles: {a: 1}}", "profiles.a", 1, 16, "not an object"),
    ("{profiles: {a: {bundelID: ''}}}", "profiles.a.bundelID", 1, 17, "Did you mean 'bundleID'?"),
    ("{profiles: {a: {bundleID: 'a..b'}}}", "profiles.a.bundleID", 1, 27, "not a bundle ID"),
    (
      "{profiles: {a: {environment: 'prod'}}}", "profiles.a.environment", 1, 30,
      "Write production"
    ),
    (
      "{profiles: {a: {environment: 'https://a.example'}}}", "profiles.a.environment", 1, 30,
      #"{server: "https://a.example"}"#
    ),
    (
      "{profiles: {a: {environment: {server: 'ftp://x'}}}}", "profiles.a.environment.server", 1,
      39, "https://HOST"
    ),
    ("{profiles: {a: {port: 65536}}}", "profiles.a.port", 1, 23, "from 0 to 65535"),
    ("{profiles: {a: {connections: 0}}}", "profiles.a.connections", 1, 30, "from 1 to 64"),
    ("{profiles: {a: {connections: '4'}}}", "profiles.a.connections", 1, 30, "without quotes"),
    ("{profiles: {a: {connections: 'aut'}}}", "profiles.a.connections", 1, 30, "mean 'auto'?"),
    ("{profiles: {a: {rate: 'fast'}}}", "profiles.a.rate", 1, 23, "30/m"),
    ("{profiles: {a: {rate: 0}}}", "profiles.a.rate", 1, 23, "from 1 to 1000000"),
    ("{profiles: {a: {timeout: 5}}}", "profiles.a.timeout", 1, 26, "not text"),
    ("{profiles: {a: {timeout: '0s'}}}", "profiles.a.timeout", 1, 26, "must not be zero"),
    ("{profiles: {a: {retries: 101}}}", "profiles.a.retries", 1, 26, "from 0 to 100"),
    ("{profiles: {a: {variables: {now: 1}}}}", "profiles.a.variables.now", 1, 34, "placeholder"),
    (
      "{profiles: {a: {credentials: {key: 'a', cert: 'b'}}}}", "profiles.a.credentials.cert", 1,
      41, "'key' and 'cert' cannot be used"
    ),
    (
      "{profiles: {a: {credentials: {key: {command: ['op']}}}}}",
      "profiles.a.credentials.key.command", 1, 37, "~/.config/fanfare/config.json"
    ),
    (
      "{profiles: {a: {credentials: {cert: 'c', passwordFile: {command: ['op']}}}}}",
      "profiles.a.credentials.passwordFile.command", 1, 57, "A command is not allowed here"
    ),
  ]

  @Test("tells what is wrong with it, and where", arguments: broken)
  func problem(_ row: (text: String, place: String, line: Int, column: Int, says: String)) {
    let error = #expect(throws: BrokenRules.self) { try file(row.text) }
    let problem = error?.problems.first
    #expect(problem?.place.description == row.place && problem?.file == "../fanfare.json")
    #expect(problem?.line == row.line && problem?.column == row.column)
    let text = (problem?.message ?? "") + (problem?.fix ?? "")
    #expect(text.contains(row.says), "\(text)")
    #expect(error?.problems.count == 1)
  }

  @Test("tells all that is wrong at once")
  func allProblems() {
    let text = "{default: 1, profiles: {a: {port: -1, rte: 5}, b: {timeout: 'x', bundleID: 'ä'}}}"
    let error = #expect(throws: BrokenRules.self) { try file(text) }
    #expect(error?.problems.count == 5)
  }

  static let commands: [(credentials: String, place: SecretLocation)] = [
    ("{key: {command: ['op', 'read', 'x']}}", .command(["op", "read", "x"])),
    ("{cert: {command: ['/bin/cat']}}", .command(["/bin/cat"])),
    ("{key: {env: 'K'}}", .variable("K")),
  ]

  @Test("of the user's own may name a command as the source of a secret", arguments: commands)
  func command(_ row: (credentials: String, place: SecretLocation)) throws {
    let text = "{profiles: {a: {credentials: \(row.credentials)}}}"
    let profile = try file(text, isOwn: true).profiles[0].settings
    #expect((profile.key ?? profile.certificate)?.value == row.place)
  }

  @Test("of the user's own has no command without a word")
  func emptyCommand() {
    let text = "{profiles: {a: {credentials: {key: {command: []}}}}}"
    let error = #expect(throws: BrokenRules.self) { try file(text, isOwn: true) }
    #expect(error?.problems.first?.message == "This array is empty.")
  }
}
