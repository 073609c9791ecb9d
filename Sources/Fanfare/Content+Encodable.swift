internal import JSONText

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Content {
  /// Returns the content with the members of a value of the app's own beside `aps`.
  ///
  /// - Parameters:
  ///   - value: encodes as an object.
  /// - Throws: `EncodingError`, also when the value does not encode as an object.
  public func adding(_ value: some Encodable) throws -> Content {
    let bytes = Array(try JSONEncoder().encode(value))
    guard let object = try JSONReader().read(bytes).object else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "the value does not encode as an object"))
    }
    return object.members.reduce(self) { $0.adding($1.key, $1.value) }
  }
}
