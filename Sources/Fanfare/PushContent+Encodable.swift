public import APNS
public import JSONText

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PushContent {
  /// Returns the content with the members of a value of the app's own beside `aps`.
  /// A member that is there already is replaced, `aps` too.
  ///
  /// - Parameters:
  ///   - value: encodes as an object.
  ///   - encoder: encodes it; nil for the format of ``JSON/init(encoding:with:)``.
  /// - Throws: `EncodingError`, also when the value does not encode as an object.
  public func adding(
    _ value: some Encodable, encoder: JSONEncoder? = nil
  ) throws -> PushContent {
    try JSON.object(encoding: value, with: encoder).members
      .reduce(self) { $0.adding($1.key, $1.value) }
  }
}

extension JSON {
  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - encoder: encodes it; nil for a `JSONEncoder` with its defaults and keys in alphabetical
  ///     order: dates are seconds since 2001, data is base64.
  /// - Throws: `EncodingError`.
  public init(encoding value: some Encodable, with encoder: JSONEncoder? = nil) throws {
    self = try JSONReader().read(Array(try (encoder ?? Self.usualEncoder).encode(value)))
  }

  private static var usualEncoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  fileprivate static func object(
    encoding value: some Encodable, with encoder: JSONEncoder?
  ) throws -> JSONObject {
    if let object = try JSON(encoding: value, with: encoder).object { return object }
    throw EncodingError.invalidValue(
      value, .init(codingPath: [], debugDescription: "the value does not encode as an object"))
  }
}

extension Recipient {
  /// Creates a recipient whose variables are the properties of a value.
  ///
  /// - Parameters:
  ///   - token: the digits of the device token. When they are none, the recipient is skipped.
  ///   - value: encodes as an object, in the format of ``JSON/init(encoding:with:)``.
  ///   - tag: leads from the ``SendResult`` back to a row of one's own.
  /// - Throws: `EncodingError`, also when the value does not encode as an object.
  public init(
    _ token: some StringProtocol, encoding value: some Encodable, tag: String? = nil
  ) throws {
    self.init(token, variables: try Self.variables(value), tag: tag)
  }

  /// Creates a recipient whose variables are the properties of a value.
  ///
  /// - Throws: `EncodingError`, also when the value does not encode as an object.
  public init(
    _ token: DeviceToken, encoding value: some Encodable, tag: String? = nil
  ) throws {
    self.init(token, variables: try Self.variables(value), tag: tag)
  }

  private static func variables(_ value: some Encodable) throws -> [String: JSON] {
    let members = try JSON.object(encoding: value, with: nil).members
    return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }
}
