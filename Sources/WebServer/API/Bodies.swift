package import APNS
internal import JSONText

// Bodies of requests.
extension WebAPI {
  /// Reads a body that is a JSON5 object; an empty body counts as an empty object.
  ///
  /// - Parameter body: reads the members of a body that has the shape.
  package func read<Value>(
    _ call: APIRoute<Self>.Call, _ kind: String, as shape: FileShape, _ body: (FileValue) -> Value
  ) throws(HTTPRefusal) -> Value {
    let text = call.request.body.isEmpty ? Array("{}".utf8) : call.request.body
    return try understand { () throws(BrokenRules) in
      try ProblemList(file: kind, kind: kind).read(text, as: shape, body)
    }
  }

  /// Turns the problems of a text into a refusal.
  package func understand<Value>(
    _ body: () throws(BrokenRules) -> Value
  ) throws(HTTPRefusal) -> Value {
    do throws(BrokenRules) {
      return try body()
    } catch {
      throw HTTPRefusal(error.problems)
    }
  }
}

extension HTTPRefusal {
  /// A refusal of a body with these problems.
  fileprivate init(_ problems: [Problem]) {
    self.init(
      Self.badRequest, problems.first?.message.cut ?? "The body cannot be read.",
      fix: problems.first?.fix.cut ?? "Correct it.")
    self.problems = JSON(.array(problems.map(\.json)))
  }
}

extension Problem {
  fileprivate var json: JSON {
    let position: [(String, JSON)] =
      [("line", line), ("column", column)].compactMap { name, value in
        value.map { (name, .number($0)) }
      }
    return .object(
      position + [
        ("path", JSON(.string(place.description.cut))), ("message", JSON(.string(message.cut))),
        ("fix", JSON(.string(fix.cut))),
      ])
  }
}

extension String {
  /// The text, or its beginning if it repeats a key of any length.
  fileprivate var cut: String {
    let start = prefix(500)
    return start.endIndex == endIndex ? self : start + "…"
  }
}
