extension Int {
  /// Reads a number that is written as it would be printed, without a plus sign or leading zeros.
  package init?(plain text: String) {
    guard let number = Int(text), String(number) == text else { return nil }
    self = number
  }
}

/// The parameters of a query. Values are taken one by one; any left over is an error.
package struct Parameters {
  private var rest: [QueryItem]
  private var known: [String] = []

  /// - Throws: `HTTPRefusal` if the query is malformed or repeats a name.
  package init(_ request: HTTPRequest) throws(HTTPRefusal) {
    guard let query = request.query else {
      throw Self.bad("The query has an escape that is not UTF-8.", fix: "Escape it as %XX.")
    }
    rest = query.filter { $0.name != "key" }
    let names = rest.map(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw Self.bad("'\(twice)' is given twice.", fix: "Give it once.")
    }
  }

  package mutating func text(_ name: String) -> String? {
    known.append(name)
    guard let index = rest.firstIndex(where: { $0.name == name }) else { return nil }
    return rest.remove(at: index).value
  }

  package mutating func integer(
    _ name: String, in range: ClosedRange<Int>
  ) throws(HTTPRefusal) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(plain: text), range.contains(number) else {
      throw Self.bad(
        "'\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound).",
        fix: "Correct the number.")
    }
    return number
  }

  /// Refuses parameters that were not taken.
  package func refuseOthers() throws(HTTPRefusal) {
    guard let other = rest.first else { return }
    throw Self.bad(
      "'\(other.name)' is not a known parameter here.",
      fix: known.isEmpty
        ? "Leave it out." : "Use one of: \(known.joined(separator: ", ")).")
  }

  /// The largest integer that is interoperable in JSON (RFC 8259 section 6).
  package static let greatestID = 1 << 53 - 1

  package static func bad(_ message: String, fix: String) -> HTTPRefusal {
    HTTPRefusal(HTTPRefusal.badRequest, message, fix: fix)
  }
}
