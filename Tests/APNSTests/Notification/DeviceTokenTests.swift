import Testing

@testable import APNS

@Suite struct DeviceTokenTests {
  static let classic = String(repeating: "0123456789abcdef", count: 4)

  @Test(
    "A token of any even length is taken",
    arguments: [2, 64, 108, 160, 200, 400])
  func lengths(digits: Int) throws {
    let text = String(repeating: "a7", count: digits / 2)
    #expect(try DeviceToken(text).hex == text)
  }

  @Test("Upper case is lowered")
  func upperCase() throws {
    #expect(try DeviceToken(Self.classic.uppercased()).hex == Self.classic)
    #expect(try DeviceToken(Self.classic.uppercased()) == DeviceToken(Self.classic))
  }

  @Test(
    "Anything else says what is wrong",
    arguments: [
      ("", DeviceTokenError.empty),
      ("abc", .oddLength(3)),
      (String(repeating: "a", count: 402), .tooLong(402)),
      ("0123g567", .notHex(character: "g", offset: 4)),
      ("01 3", .notHex(character: " ", offset: 2)),
      ("012\u{10}", .notHex(character: "\u{10}", offset: 3)),
      ("01/../..", .notHex(character: "/", offset: 2)),
      ("0é12", .notHex(character: "é", offset: 1)),
      ("ab@", .notHex(character: "@", offset: 2)),
      ("ab`f", .notHex(character: "`", offset: 2)),
      ("AB:G", .notHex(character: ":", offset: 2)),
      ("ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", .looksLikeExpo),
      ("dXyz0123:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx", .looksLikeFCM),
      ("d3d997af...af515f", .elided),
      ("…89abcdef", .elided),
      ("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRW_-A", .looksLikeBase64),
      ("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", .looksLikeUUID),
      ("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=", .looksLikeBase64),
      (String(repeating: "a", count: 63) + "g", .notHex(character: "g", offset: 63)),
    ])
  func refused(text: String, error: DeviceTokenError) {
    #expect(throws: error) { try DeviceToken(text) }
  }

  @Test(
    "Decoration is tidied away when asked, and only then",
    arguments: ["<0123 4567 89AB cdef>", " 0123456789abcdef\r\n"])
  func tidying(text: String) throws {
    #expect(try DeviceToken(tidying: text).hex == "0123456789abcdef")
    #expect(throws: DeviceTokenError.self) { try DeviceToken(text) }
  }

  @Test(
    "A token is read as logs, debuggers and source files show it",
    arguments: [
      "{length = 8, bytes = 0x01234567 89abcdef }", "{length = 8, bytes = 0x0123456789abcdef}",
      "\"{length = 8, bytes = 0x0123456789abcdef}\"", "0x0123456789ABCDEF", "<0x01234567 89abcdef>",
      "\"0123456789abcdef\",", "'0123456789abcdef'", "“0123456789abcdef”", "0123456789abcdef;",
      "\u{FEFF}0123456789abcdef\u{A0}", " `0123456789abcdef` ", "0123456789abcdef\\n",
      #"Optional("0123456789abcdef")"#, #""Optional(""0123456789abcdef"")""#,
      "Optional(Optional(<01234567 89abcdef>))",
    ])
  func pasted(text: String) throws {
    #expect(try DeviceToken(tidying: text).hex == "0123456789abcdef")
  }

  @Test(
    "What was pasted and is no token says what is wrong",
    arguments: [
      (
        "{length = 32, bytes = 0xd3d997af 967d1f43 b405374a 13394d2f ... 28f10282 14af515f }",
        .elided
      ),
      ("{length = 32, bytes = 0x0123456789abcdef}", .elided),
      ("{length = 8}", .notHex(character: "{", offset: 0)),
      ("18, 52, 171", DeviceTokenError.notHex(character: ",", offset: 2)),
      ("\"\"", .empty), ("0x", .empty), ("0x123", .oddLength(3)),
      ("'ExponentPushToken[abc]'", .looksLikeExpo),
      ("32 bytes", .looksLikeCount), ("Optional(32 bytes)", .looksLikeCount),
      ("Data: 32 bytes", .looksLikeCount), ("160 bytes", .looksLikeCount),
      (#"{"type":"apns","data":"0a1b"}"#, .looksLikeObject),
      (#"{"endpoint":"https://web.push.apple.com/QGuQ"}"#, .looksLikeObject),
      ("https://web.push.apple.com/QGuQyavXutnMH9p", .looksLikeURL),
      ("https://fcm.googleapis.com/fcm/send/abc", .looksLikeURL),
      ("arn:aws:sns:eu-west-1:1:endpoint/APNS/shop/e6e8", .looksLikeARN),
      ("null", .looksLikeNull), ("(null)", .looksLikeNull), ("undefined", .looksLikeNull),
      ("[object Object]", .looksLikeNull), ("None", .looksLikeNull),
      ("[10, 27, 44, 61, 78, 95, 96, 113, 130]", .looksLikeByteList),
      ("[10, 27]", .notHex(character: "[", offset: 0)),
      (String(repeating: "3061", count: 32), .encodedTwice),
      (String(repeating: "3941", count: 80), .encodedTwice),
    ])
  func pastedBadly(text: String, error: DeviceTokenError) {
    #expect(throws: error) { try DeviceToken(tidying: text) }
  }

  @Test(
    "Digits that stand for other bytes than digits are a token of that length",
    arguments: [
      String(repeating: "3061", count: 31) + "303a", String(repeating: "3067", count: 32),
      String(repeating: "3061", count: 31), String(repeating: "7061", count: 32),
    ])
  func encodedOnce(_ text: String) throws { #expect(try DeviceToken(text).hex == text) }

  /// A token of 64 digits, or of another length.
  private static func digits(_ count: Int = 64) -> String {
    String(repeating: "a7", count: count / 2)
  }

  static let parts: [(lengths: [Int], digits: Int?, tokens: Int?)] = [
    ([8, 8, 8, 8, 8, 8, 8, 8], 64, nil), ([32, 32], 64, nil), ([80, 80], 160, nil),
    ([4, 4], 8, nil), ([64, 64], nil, 2), ([160, 64], nil, 2), ([64, 64, 64], nil, 3),
    (Array(repeating: 8, count: 16), nil, nil), ([64, 32], nil, nil), ([64, 64, 32], nil, nil),
    ([100, 100], nil, nil),
  ]

  @Test(
    "Blanks in one token are removed; whole tokens beside each other are never one",
    arguments: parts)
  func beside(_ row: (lengths: [Int], digits: Int?, tokens: Int?)) throws {
    for blank in [" ", "\n", "\t"] {
      let text = row.lengths.map(Self.digits).joined(separator: blank)
      if let digits = row.digits {
        #expect(try DeviceToken(tidying: text).hex.utf8.count == digits)
        #expect(try DeviceToken.all(in: text).count == 1)
      } else {
        let error = DeviceTokenError.several(digits: row.lengths.reduce(0, +))
        #expect(throws: error) { try DeviceToken(tidying: text) }
        #expect((try? DeviceToken.all(in: text))?.count == row.tokens)
      }
    }
  }

  @Test("No way of printing a token shows all of it")
  func printing() throws {
    let token = try DeviceToken(Self.classic)
    var dumped = ""
    dump(token, to: &dumped)
    #expect(token.tail == "…89abcdef")
    for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
      #expect(text.contains("…89abcdef"))
      #expect(!text.contains("0123"))
    }
  }

  @Test("Digits are read into a buffer without making a token")
  func intoBuffer() throws {
    var digits = [UInt8](repeating: 0, count: 8)
    let text: [UInt8] = Array("ABCDEF01".utf8)
    try text.withUnsafeBufferPointer { source in
      try digits.withUnsafeMutableBufferPointer { try DeviceToken.read(source, into: $0) }
    }
    #expect(String(decoding: digits, as: UTF8.self) == "abcdef01")
  }

  @Test("Each of the 256 bytes is taken exactly when it is a hex digit", arguments: 0...UInt8.max)
  func everyByte(byte: UInt8) {
    let isHex = "0123456789abcdefABCDEF".utf8.contains(byte)
    let token = [byte, byte].withUnsafeBufferPointer { try? DeviceToken(ascii: $0) }
    #expect((token != nil) == isHex)
  }
}
