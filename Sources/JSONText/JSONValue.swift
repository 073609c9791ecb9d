/// A Swift type whose values have a form in JSON, all of one shape.
package protocol JSONValue: SendableMetatype {
  static var jsonShape: JSONShape { get }
  var jsonValue: JSON { get }
}

/// A word of a closed set.
package protocol JSONWord: JSONValue, RawRepresentable, CaseIterable where RawValue == String {}

extension JSONWord {
  package static var jsonShape: JSONShape { .word(allCases.map(\.rawValue)) }
  package var jsonValue: JSON { rawValue.jsonValue }
}

/// An object whose members the fields of a table describe and write.
package protocol JSONDescribed: JSONValue {
  static var fields: [OutputField<Self>] { get }
}

extension JSONDescribed {
  package static var jsonShape: JSONShape { fields.shape() }
  package var jsonValue: JSON { Self.fields.object(of: self) }
  /// The object on a line.
  package var jsonLine: [UInt8] { Self.fields.line(of: self) }
}

extension JSON: JSONValue {
  package static var jsonShape: JSONShape { .anything }
  package var jsonValue: JSON { self }
}

extension String: JSONValue {
  package static var jsonShape: JSONShape { .text }
  package var jsonValue: JSON { JSON(.string(self)) }
}

extension Bool: JSONValue {
  package static var jsonShape: JSONShape { .truth }
  package var jsonValue: JSON { JSON(.bool(self)) }
}

/// A number that is not finite is null.
extension Double: JSONValue {
  package static var jsonShape: JSONShape { .number }
  package var jsonValue: JSON { JSON(JSONNumber(double: self).map { .number($0) } ?? .null) }
}

extension JSONNumber: JSONValue {
  package static var jsonShape: JSONShape { .number }
  package var jsonValue: JSON { JSON(.number(self)) }
}

extension BinaryInteger where Self: JSONValue {
  package static var jsonShape: JSONShape { .integer }
  package var jsonValue: JSON { JSON(.number(JSONNumber(self))) }
}

extension Int: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}
extension UInt16: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}

extension Optional: JSONValue where Wrapped: JSONValue {
  package static var jsonShape: JSONShape { .orNull(Wrapped.jsonShape) }
  package var jsonValue: JSON { self?.jsonValue ?? nil }
}

extension Array: JSONValue where Element: JSONValue {
  package static var jsonShape: JSONShape { .array(Element.jsonShape) }
  package var jsonValue: JSON { JSON(.array(map(\.jsonValue))) }
}
