public import APNS
public import JSONText

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Content {
  /// Returns the content with the members of a value of the app's own beside `aps`.
  /// A member that is there already is replaced, `aps` too. `JSON(encoding:)` describes
  /// the format.
  ///
  /// - Parameters:
  ///   - value: encodes as an object.
  /// - Throws: `EncodingError`, also when the value does not encode as an object.
  public func adding(_ value: some Encodable) throws -> Content {
    try JSON.object(encoding: value).members.reduce(self) { $0.adding($1.key, $1.value) }
  }
}

extension JSON {
  /// Encodes a value with Foundation's `JSONEncoder`: dates as seconds since 2001, data as base64,
  /// keys in alphabetical order.
  ///
  /// - Throws: `EncodingError`.
  public init(encoding value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    self = try JSONReader().read(Array(try encoder.encode(value)))
  }

  fileprivate static func object(encoding value: some Encodable) throws -> JSONObject {
    if let object = try JSON(encoding: value).object { return object }
    throw EncodingError.invalidValue(
      value, .init(codingPath: [], debugDescription: "the value does not encode as an object"))
  }
}

extension Recipient {
  /// Creates a recipient whose variables are the properties of a value.
  ///
  /// - Parameters:
  ///   - token: the device token.
  ///   - value: encodes as an object, in the format of `JSON(encoding:)`.
  /// - Throws: `EncodingError`, also when the value does not encode as an object.
  public init(_ token: DeviceToken, encoding value: some Encodable) throws {
    let members = try JSON.object(encoding: value).members
    self.init(
      token, variables: Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
  }
}
