public import JSONText

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
      "Unexpected \(quoted(String(character))); expected \(expected.noun)."
    case .trailingContent(let character): "Unexpected \(quoted(String(character))) after the value."
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

extension JSONSyntaxError.Expectation {
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
