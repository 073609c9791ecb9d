public import APNS
public import JSONText
public import PushModel

// The forms in which values wait in a queue of jobs: plain text where a value is one.

/// A value that is coded as text.
protocol TextCoded: Codable {
  var codedText: String { get }
  init(codedText text: String) throws
}

extension TextCoded {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do { try self.init(codedText: text) } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(codedText)
  }
}

extension DeviceToken: TextCoded {
  var codedText: String { hex }
  init(codedText text: String) throws { try self.init(text) }
}

extension BundleID: TextCoded {
  var codedText: String { text }
  init(codedText text: String) throws { try self.init(text) }
}

extension ChannelID: TextCoded {
  var codedText: String { text }
  init(codedText text: String) throws { try self.init(text) }
}

extension Outcome: Codable {}
extension Reason: Codable {}
extension Status: Codable {}
extension PushType: Codable {}
extension Priority: Codable {}

extension JSON: Codable {
  /// Reads any value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = nil
    } else if let bool = try? container.decode(Bool.self) {
      self.init(booleanLiteral: bool)
    } else if let number = try? container.decode(Int.self) {
      self.init(integerLiteral: number)
    } else if let number = try? container.decode(Double.self) {
      self.init(floatLiteral: number)
    } else if let text = try? container.decode(String.self) {
      self.init(stringLiteral: text)
    } else if let elements = try? container.decode([JSON].self) {
      self.init(.array(elements))
    } else {
      let members = try container.decode([String: JSON].self).sorted { $0.key < $1.key }
      self.init(.object(JSONObject(members.map { JSONMember(key: $0.key, value: $0.value) })))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch content {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .number(let number):
      if let int = number.int {
        try container.encode(int)
      } else {
        try container.encode(number.double)
      }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let object):
      let members = object.members.map { ($0.key, $0.value) }
      try container.encode(Dictionary(members, uniquingKeysWith: { $1 }))
    }
  }
}

extension Recipient: Codable {
  private enum CodingKeys: String, CodingKey { case token, variables, tag }

  /// Reads a recipient; one whose token is none is read too, and skipped when it is sent to.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(String.self, forKey: .token),
      variables: try values.decodeIfPresent([String: JSON].self, forKey: .variables) ?? [:],
      tag: try values.decodeIfPresent(String.self, forKey: .tag))
  }

  /// Writes a recipient.
  ///
  /// - Throws: ``DeviceTokenError`` when its token is none.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(try token, forKey: .token)
    if !variables.isEmpty { try values.encode(variables, forKey: .variables) }
    try values.encodeIfPresent(tag, forKey: .tag)
  }
}
