import APNS
import JSONText
import Testing

@Suite("A change to a payload") struct PayloadChangeTests {
  static let changes: [(words: [String], given: String?, text: String)] = [
    (["aps.alert.title=Hi"], nil, #"{"aps":{"alert":{"title":"Hi"}}}"#),
    (["aps.badge:=3"], #"{"aps":{"badge":1,"sound":"x"}}"#, #"{"aps":{"badge":3,"sound":"x"}}"#),
    (["own.badge=3"], nil, #"{"own":{"badge":"3"}}"#),
    ([#"aps.badge:="3""#], nil, #"{"aps":{"badge":"3"}}"#),
    (["aps.badge={{n|number}}"], nil, #"{"aps":{"badge":"{{n|number}}"}}"#),
    (["aps.sound:="], #"{"aps":{"badge":1,"sound":"x"}}"#, #"{"aps":{"badge":1}}"#),
    (["aps.sound:= "], #"{"aps":{"sound":"x"}}"#, #"{"aps":{}}"#),
    (["aps.sound:="], #"{"own":1}"#, #"{"own":1}"#),
    (["a.b.c:="], nil, "{}"),
    (["own="], nil, #"{"own":""}"#),
    (["own:=null"], nil, #"{"own":null}"#),
    (["own=a=b:=c.d"], nil, #"{"own":"a=b:=c.d"}"#),
    (["own=:="], nil, #"{"own":":="}"#),
    (["a:b=1"], nil, #"{"a:b":"1"}"#),
    ([#"com\.example=1"#], nil, #"{"com.example":"1"}"#),
    ([#"a\=b=1"#, #"c\:=1"#, #"d\\:=1"#], nil, #"{"a=b":"1","c:":"1","d\\":1}"#),
    (["list.1=x"], #"{"list":["a","b","c"]}"#, #"{"list":["a","x","c"]}"#),
    (["list.0:="], #"{"list":["a","b"]}"#, #"{"list":["b"]}"#),
    (["list.2:="], #"{"list":["a","b"]}"#, #"{"list":["a","b"]}"#),
    (["list.2=c"], #"{"list":["a","b"]}"#, #"{"list":["a","b","c"]}"#),
    (["list.0.name=x"], #"{"list":[{"name":"a"}]}"#, #"{"list":[{"name":"x"}]}"#),
    (["list.0=a", "list.1=b"], nil, #"{"list":["a","b"]}"#),
    (["years.2026:=4"], nil, #"{"years":{"2026":4}}"#),
    (["years.0:=4"], #"{"years":{}}"#, #"{"years":{"0":4}}"#),
    (["a=1", "a:=", "a.b=2"], nil, #"{"a":{"b":"2"}}"#),
    (["a:={}", "a.b=1", "a.b=2"], nil, #"{"a":{"b":"2"}}"#),
    (["name={{name}}"], nil, #"{"name":"{{name}}"}"#),
    (["ü.\u{0338}=1"], nil, "{\"ü\":{\"\u{0338}\":\"1\"}}"),
  ]

  @Test("is made where its path leads, one after the other", arguments: changes)
  func applied(_ row: (words: [String], given: String?, text: String)) throws {
    let changes = try row.words.map { try PayloadChange($0) }
    let given = try row.given.map { try JSONReader().read($0) }
    #expect(try changes.applied(to: given).encodedString(.wire) == row.text)
  }

  static let obstacles: [(word: String, given: String, place: String, kind: String?)] = [
    ("aps.alert.title=x", #"{"aps":{"alert":"Hi"}}"#, "aps.alert", "text"),
    ("aps.alert.title:=", #"{"aps":{"alert":"Hi"}}"#, "aps.alert", "text"),
    ("aps.badge:=1", #"{"aps":5}"#, "aps", "a number"),
    ("aps.badge:=1", #"{"aps":null}"#, "aps", "null"),
    ("aps.badge=3", "{}", "aps.badge", nil),
    ("list.3=x", #"{"list":["a"]}"#, "list", nil),
    ("list.x=x", #"{"list":["a"]}"#, "list", nil),
    ("list.-1=x", #"{"list":["a"]}"#, "list", nil),
    ("list.99999999999999999999=x", #"{"list":["a"]}"#, "list", nil),
    ("list.0.name=x", #"{"list":["a"]}"#, "list[0]", "text"),
  ]

  @Test("without a place tells what is in the way", arguments: obstacles)
  func obstacle(_ row: (word: String, given: String, place: String, kind: String?)) throws {
    let change = try PayloadChange(row.word)
    let error = #expect(throws: PayloadChangeError.self) {
      try [change].applied(to: try JSONReader().read(row.given))
    }
    #expect(error?.place.description == row.place && error?.change == change.path)
    if case .noObject(let kind) = error?.fault {
      #expect(kind == row.kind)
    } else {
      #expect(row.kind == nil)
    }
  }

  @Test("tells the way to what is in the way as a path, which can be removed")
  func removable() throws {
    let given = try JSONReader().read(#"{"a.b":["x"]}"#)
    let change = try PayloadChange(#"a\.b.0.c=1"#)
    let error = #expect(throws: PayloadChangeError.self) { try [change].applied(to: given) }
    #expect(error?.placeAsPath == #"a\.b.0"#)
    let removal = try PayloadChange(#"a\.b.0:="#)
    #expect(try [removal, change].applied(to: given).encodedString() == #"{"a.b":[{"c":"1"}]}"#)
  }

  static let bad: [(word: String, error: PayloadChangeTextError)] = [
    ("", .noSign), ("aps.badge", .noSign), ("aps.badge:3", .noSign), (#"a\=1"#, .noSign),
    ("=1", .emptyKey), (":=1", .emptyKey), (".a=1", .emptyKey), ("a.=1", .emptyKey),
    ("a..b=1", .emptyKey), (#"a\n=1"#, .badEscape), (#"a\"#, .badEscape),
    (String(repeating: "a.", count: 32) + "a=1", .tooDeep),
  ]

  @Test("has a path and a sign", arguments: bad)
  func unreadable(_ row: (word: String, error: PayloadChangeTextError)) {
    #expect(throws: row.error) { try PayloadChange(row.word) }
  }

  @Test("of something that is not JSON names its path", arguments: ["aps.badge:=three", "a:=1 2"])
  func notJSON(_ word: String) throws {
    let error = #expect(throws: PayloadChangeTextError.self) { try PayloadChange(word) }
    guard case .notJSON(let path, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(word.hasPrefix(path + ":="))
  }

  @Test("keeps the places of what it leaves alone")
  func places() throws {
    let given = try JSONReader().read("{\n\"own\":1,\n\"aps\":{\n\"badge\":1}}")
    let changed = try [PayloadChange("aps.sound=x")].applied(to: given)
    #expect(changed["own"]?.position?.line == 2)
    #expect(changed["aps"]?["badge"]?.position?.line == 4)
  }
}
