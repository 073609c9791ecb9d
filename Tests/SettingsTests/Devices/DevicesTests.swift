import APNS
import Testing

@testable import Settings

@Suite("Devices")
struct DevicesTests {
  static let names: [(text: String, isName: Bool)] = [
    ("my-phone", true), ("qa", true), ("@ada", true), ("björn", true), ("iPhone15.pro", true),
    ("@beef", true), ("facade-1", true), ("a.b+c_d@e", true),
    ("", false), ("beef", false), ("DECADE", false), ("1phone", false), ("-x", false),
    ("my phone", false), ("a/b", false), ("a:b", false), ("x$(id)", false),
    (String(repeating: "x", count: 40), true), (String(repeating: "x", count: 41), false),
    ("a1b2c3d4e5f6a7b8g", false), ("a1b2c3d4-e5f6a7b8", false),
  ]

  @Test("have names that cannot be taken for device tokens", arguments: names)
  func naming(_ row: (text: String, isName: Bool)) {
    #expect(Device.isName(row.text) == row.isName)
  }

  private func file(_ text: String, _ path: String = "fanfare.json") throws -> ProfileFile {
    try ProfileFile(reading: Array(text.utf8), path: path, home: nil, isOwn: false)
  }

  @Test("carry where they are and the app they are for, each with its place in the file")
  func reading() throws {
    let devices = Devices([
      try file(
        """
        {devices: {
          "my-phone": {token: "<0A1B 2c3d>", environment: "sandbox", bundleID: "a.b"},
          lab: {token: "0c0d", environment: {server: "https://a.example", ca: "ca.pem"}},
        }}
        """, "x/fanfare.json")
    ])
    let phone = try #require(try devices.devices("my-phone").first)
    #expect(phone.token.hex == "0a1b2c3d" && phone.bundleID?.value == "a.b")
    #expect(phone.environment?.value == .named(.sandbox))
    #expect(phone.environment?.origin.text == "x/fanfare.json:2:38")
    let lab = try #require(try devices.devices("lab").first)
    #expect(lab.serverCA?.value == "x/ca.pem")
  }

  @Test("of groups in groups are found at once, and of too many are refused")
  func nested() throws {
    func chain(_ count: Int) throws -> Devices {
      let groups = (1...count).map { "g\($0)x: ['g\($0 + 1)x', 'g\($0 + 1)x']" }
      let last = "g\(count + 1)x: {token: '0a1b'}"
      return Devices([try file("{devices: {\((groups + [last]).joined(separator: ", "))}}", "f")])
    }
    #expect(try chain(32).devices("g1x").map(\.token.hex) == ["0a1b"])
    #expect(try chain(32).leads(from: "g1x", to: "g33x"))
    #expect(throws: DeviceError.tooDeep(group: "g1x")) { try chain(33).devices("g1x") }
    #expect(throws: DeviceError.self) { try chain(5000).devices("g1x") }
    #expect(try !chain(5000).leads(from: "g1x", to: "none"))
  }

  @Test("of a group come once each, and those of the first file count")
  func groups() throws {
    let own = try file("{devices: {a1x: {token: '0a'}, all: ['qa', 'bx', 'a1x']}}", "own")
    let project = try file(
      "{devices: {a1x: {token: '0b'}, bx: {token: '0c'}, qa: ['a1x', 'bx']}}")
    let devices = Devices([own, project])
    #expect(try devices.devices("all").map(\.token.hex) == ["0a", "0c"])
    #expect(try devices.devices("qa").map(\.token.hex) == ["0a", "0c"])
    #expect(devices.effective.map(\.name) == ["a1x", "all", "bx", "qa"])
  }

  @Test("that are unknown, or groups of themselves, are refused")
  func refused() throws {
    let devices = Devices([
      try file("{devices: {phone: {token: '0a'}, x: ['y'], y: ['x'], z: ['tablet']}}")
    ])
    let names = ["phone", "x", "y", "z"]
    #expect(throws: DeviceError.unknown("phnoe", group: nil, near: ["phone"], names: names)) {
      try devices.devices("phnoe")
    }
    #expect(throws: DeviceError.unknown("tablet", group: "z", near: [], names: names)) {
      try devices.devices("z")
    }
    #expect(throws: DeviceError.loop(group: "x")) { try devices.devices("x") }
  }

  static let broken: [(text: String, place: String)] = [
    ("{devices: {beef: {token: '0a'}}}", "devices.beef"),
    ("{devices: {x: {}}}", "devices.x.token"), ("{devices: {x: 'a'}}", "devices.x"),
    ("{devices: {x: {token: 'nonsense'}}}", "devices.x.token"),
    ("{devices: {x: {token: '0a', bundleID: '<a>'}}}", "devices.x.bundleID"),
    ("{devices: {x: {token: '0a', environment: 'sandbx'}}}", "devices.x.environment"),
    ("{devices: {x: {token: '0a', key: 'k'}}}", "devices.x.key"), ("{devices: []}", "devices"),
  ]

  @Test("of a file are checked with it", arguments: broken)
  func checked(_ row: (text: String, place: String)) {
    let error = #expect(throws: BrokenRules.self) { try file(row.text) }
    #expect(error?.problems.map(\.place.description).contains(row.place) == true)
  }

  @Test("are kept with their names and tokens")
  func kept() throws {
    var settings = Settings()
    let device = Device(name: "my-phone", token: try DeviceToken("0a1b"))
    settings.to = Setting([.device(device), .token(try DeviceToken("0c"))], .setting("--to"))
    let read = try #require(Settings(json: settings.kept, path: { $0 }))
    #expect(read.to?.value == [.device(device), .token(try DeviceToken("0c"))])
  }
}
