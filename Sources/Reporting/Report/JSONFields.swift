package import JSONText

/// The value of `--json`: all fields, or those to print.
package struct JSONFields: Sendable, Hashable {
  /// The fields in output order; nil for all.
  package let names: [String]?

  /// All fields.
  package static let all = JSONFields(names: nil)

  package init(names: [String]?) { self.names = names }

  /// Reads names separated by commas; nil if one is empty.
  package init?(text: String) {
    let names = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    if names.contains(where: \.isEmpty) { return nil }
    self.init(names: names)
  }

  /// A line of JSON: an object or, in their order, its chosen fields. Fields of a run's only push
  /// count as the run's own; missing fields are null.
  package func line(_ object: JSON) -> [UInt8] {
    chosen(from: object).encoded() + [UInt8(ascii: "\n")]
  }

  private func chosen(from object: JSON) -> JSON {
    guard let names else { return object }
    let push = object["push"]
    return names.map { JSONMember(key: $0, value: object[$0] ?? push?[$0] ?? JSON(.null)) }.object
  }
}
