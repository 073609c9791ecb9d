public import JSONText

extension JSONSyntaxError {
  /// What is wrong, in one sentence without the place. Text out of the file is safe to print.
  public var message: String {
    switch kind {
    case .textTooLong(let count, let limit):
      "The text has \(count) bytes; \(limit) are read."
    case .emptyText: "The text holds no value."
    case .invalidUTF8(let byte): "The byte 0x\(String(byte, radix: 16)) is not part of UTF-8."
    case .byteOrderMark: "The text begins with a byte order mark."
    case .duplicateKey(let key, let first):
      "The key \(quoted(key)) was written before, in line \(first.line)."
    case .tooDeep(let limit): "Arrays and objects nest deeper than \(limit)."
    case .unexpectedEnd(let expected): "The text ends where \(expected.noun) has to stand."
    case .unexpectedCharacter(let character, let expected):
      "\(quoted(String(character))) stands where \(expected.noun) has to."
    case .trailingContent(let character): "\(quoted(String(character))) follows the value."
    default: stringMessage ?? numberMessage ?? "The text is not strict JSON."
    }
  }

  private var stringMessage: String? {
    switch kind {
    case .unquotedKey(let key): "The key \(quoted(key)) has no quotes."
    case .singleQuote: "A single quote stands where \" is needed."
    case .smartQuote(let quote): "\(quote) is a typographic quote; use the straight \"."
    case .controlCharacter(let scalar): "A string holds \(quoted(String(scalar))) unescaped."
    case .badEscape(let scalar): "\\\(printable(String(scalar))) is not an escape."
    case .loneSurrogate(let half): "\\u\(String(half, radix: 16)) is half of a pair."
    default: nil
    }
  }

  private var numberMessage: String? {
    switch kind {
    case .badNumber(let text): "\(quoted(text)) is not a number."
    case .leadingZero(let text): "The number \(quoted(text)) begins with a zero."
    case .notFinite(let text): "JSON has no number \(quoted(text))."
    case .hexadecimalTooLarge(let text): "The number \(quoted(text)) is too large."
    case .unknownWord(let word): "\(quoted(word)) is neither true, false nor null."
    case .trailingComma: "A comma stands before the closing bracket."
    case .comment: "Strict JSON has no comments."
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
