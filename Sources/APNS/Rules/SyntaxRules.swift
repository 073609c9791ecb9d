import JSONText

extension RuleTable {
  /// The payload's text. No source tells what APNs answers to a payload that it cannot read.
  static let syntaxRules: [Rule] = [
    syntaxRule(
      "payload-json", summary: "The payload is JSON, and nothing else.",
      fix: "Correct the text at that place."),
    syntaxRule(
      "payload-encoding", summary: "The payload is UTF-8.",
      fix: "Save the file as UTF-8."),
    syntaxRule(
      "payload-byte-order-mark", summary: "The payload begins without a byte order mark.",
      fix: "Save the file as UTF-8 without a byte order mark."),
    syntaxRule(
      "payload-smart-quotes", summary: "Keys and texts stand in straight quotes.",
      fix: "Replace the typographic quotes by \"; text editors for prose put them in."),
    syntaxRule(
      "payload-duplicate-key", summary: "No object has a key twice.",
      fix: "Remove one of them; readers differ in which they take."),
    syntaxRule(
      "payload-depth", summary: "Arrays and objects nest no deeper than 32.",
      fix: "Make it flatter."),
    syntaxRule(
      "payload-surrogates", summary: "An escaped character is written whole.",
      fix: "Write the character itself, or both halves: \\ud83c\\udf5e."),
  ]

  private static func syntaxRule(_ identifier: String, summary: String, fix: String) -> Rule {
    Rule(
      identifier, .error, about: .payload, summary: summary, fix: fix, source: Source.json,
      isAnswerKnown: false
    ) { draft, _ in
      guard let payload = draft.payload, !payload.bytes.isEmpty,
        case .failure(let error) = payload.reading, identifier == rule(for: error.kind)
      else { return [] }
      return [payload.finding(PayloadPath(), at: error.position, error.message)]
    }
  }

  private static func rule(for kind: JSONSyntaxError.Kind) -> String {
    switch kind {
    case .invalidUTF8: "payload-encoding"
    case .byteOrderMark: "payload-byte-order-mark"
    case .smartQuote: "payload-smart-quotes"
    case .duplicateKey: "payload-duplicate-key"
    case .tooDeep: "payload-depth"
    case .loneSurrogate: "payload-surrogates"
    default: "payload-json"
    }
  }
}
