public import JSONText

extension RuleTable {
  /// The rules about the payload's text. No source documents APNs' answer to an invalid payload.
  static let syntaxRules: [Rule] = [
    syntaxRule(
      "payload-json", summary: "The payload is valid JSON.",
      fix: "Correct the text at that position."),
    syntaxRule(
      "payload-encoding", summary: "The payload is UTF-8.",
      fix: "Save the file as UTF-8."),
    syntaxRule(
      "payload-byte-order-mark", summary: "The payload has no byte order mark.",
      fix: "Save the file as UTF-8 without a byte order mark."),
    syntaxRule(
      "payload-smart-quotes", summary: "Keys and strings are in straight quotes.",
      fix: "Replace the typographic quotes with \"; word processors insert them."),
    syntaxRule(
      "payload-duplicate-key", summary: "No object has the same key twice.",
      fix: "Remove one of them; parsers disagree on which one counts."),
    syntaxRule(
      "payload-depth", summary: "Arrays and objects nest no deeper than 32 levels.",
      fix: "Flatten the structure."),
    syntaxRule(
      "payload-surrogates", summary: "An escaped character is complete.",
      fix: "Write the character itself, or both halves: \\ud83c\\udf5e."),
  ]

  private static func syntaxRule(_ identifier: String, summary: String, fix: String) -> Rule {
    Rule(
      identifier, .error, about: .payload, summary: summary, fix: fix, source: Source.json,
      isAnswerKnown: false
    ) { draft, _ in
      guard let payload = draft.payload, !payload.bytes.isEmpty else { return [] }
      return payload.syntaxErrors.filter { identifier == rule(for: $0.kind) }
        .map { finding($0, in: payload) }
    }
  }

  private static func finding(_ error: JSONSyntaxError, in payload: DraftPayload) -> Finding {
    guard let placeholder = barePlaceholder(in: payload.bytes, error) else {
      return payload.finding(PayloadPath(), at: error.position, error.message, fix: error.fix)
    }
    return payload.finding(
      PayloadPath(), at: error.position, "The placeholder \(placeholder) is not in quotes.",
      fix: "Write \"\(placeholder)\"; alone in quotes, a placeholder takes the type of its value.")
  }

  // Finds `{{now}}` in place of a value; the JSON error is at the second brace.
  private static func barePlaceholder(in bytes: [UInt8], _ error: JSONSyntaxError) -> String? {
    guard case .unexpectedCharacter("{", expected: .key) = error.kind else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
    guard lines.indices.contains(error.position.line - 1), error.position.column > 1 else {
      return nil
    }
    let scalars = lines[error.position.line - 1].unicodeScalars
    let rest = Substring(scalars.dropFirst(error.position.column - 2))
    guard rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") else { return nil }
    return printable(rest[..<end.upperBound])
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

extension JSONSyntaxError {
  /// The problem in one sentence, without the position. Text from the file is safe to print.
  public var message: String {
    switch kind {
    case .textTooLong(let count, let limit):
      "The text is \(count) bytes long; the limit is \(limit)."
    case .emptyText: "The text is empty."
    case .invalidUTF8(let byte): "The byte 0x\(String(byte, radix: 16)) is not valid UTF-8."
    case .byteOrderMark: "The text begins with a byte order mark."
    case .duplicateKey(let key, let first):
      "Duplicate key \(quoted(key)), first used in line \(first.line)."
    case .tooDeep(let limit): "Arrays and objects nest deeper than \(limit) levels."
    case .unexpectedEnd(let expected): "Unexpected end of text; expected \(expected.noun)."
    case .unexpectedCharacter(let character, let expected):
      "Unexpected \(character.shown); expected \(expected.noun)."
    case .trailingContent(let character): "Unexpected \(character.shown) after the value."
    default: stringMessage ?? numberMessage ?? "The text is not strict JSON."
    }
  }

  private var stringMessage: String? {
    switch kind {
    case .unquotedKey(let key): "The key \(quoted(key)) is not quoted."
    case .singleQuote: "Single quotes are not allowed; use \"."
    case .smartQuote(let quote): "\(quote) is a typographic quote; use the straight \"."
    case .controlCharacter(let scalar): "A string contains an unescaped \(quoted(String(scalar)))."
    case .badEscape(let scalar): "\\\(printable(String(scalar))) is not a valid escape."
    case .loneSurrogate(let half): "\\u\(String(half, radix: 16)) is half of a surrogate pair."
    default: nil
    }
  }

  private var numberMessage: String? {
    switch kind {
    case .badNumber(let text): "\(quoted(text)) is not a number."
    case .leadingZero(let text): "The number \(quoted(text)) has a leading zero."
    case .notFinite(let text): "JSON has no number \(quoted(text))."
    case .hexadecimalTooLarge(let text): "The number \(quoted(text)) is too large."
    case .unknownWord(let word): "\(quoted(word)) is not true, false or null."
    case .trailingComma: "Trailing comma before the closing bracket."
    case .comment: "Comments are not allowed in strict JSON."
    default: nil
    }
  }
}

extension JSONSyntaxError {
  /// The fix for a character that cannot be seen; nil for other errors.
  fileprivate var fix: String? {
    switch kind {
    case .unexpectedCharacter("\0", _), .trailingContent("\0"): "Save the file as UTF-8."
    case .unexpectedCharacter(let scalar, _), .trailingContent(let scalar):
      scalar.spaceName.map { _ in
        "Write an ordinary space: web pages and word processors insert such characters."
      }
    default: nil
    }
  }
}

extension Unicode.Scalar {
  /// The character as an error shows it: by its name if it looks like a space, or like nothing.
  fileprivate var shown: String {
    let digits = String(value, radix: 16, uppercase: true)
    let number = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return spaceName.map { "\($0) (U+\(number))" } ?? quoted(String(self))
  }

  /// The name of a character that looks like a space, or like nothing; nil for others.
  fileprivate var spaceName: String? {
    switch properties.generalCategory {
    case .spaceSeparator, .format, .lineSeparator, .paragraphSeparator:
      isASCII ? nil : properties.name.map { $0.lowercased() }
    default: nil
    }
  }
}

extension JSONSyntaxError.Expected {
  fileprivate var noun: String {
    switch self {
    case .value: "a value"
    case .key: "a key"
    case .colon: "a colon"
    case .commaOrClosingBracket: "a comma or ]"
    case .commaOrClosingBrace: "a comma or }"
    case .closingQuote: "a closing quote"
    case .endOfComment: "the end of a comment"
    }
  }
}
