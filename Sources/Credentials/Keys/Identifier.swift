internal import PlainText

/// The ten-character ID of a signing key in Apple's developer portal.
public struct KeyID: Sendable, Hashable {
  /// The characters: `A` to `Z` and `0` to `9`.
  public let text: String

  /// Creates a key ID.
  ///
  /// - Throws: `IdentifierError` unless it is ten uppercase letters and digits.
  public init(_ text: String) throws(IdentifierError) {
    self.text = try checkedIdentifier(text)
  }

  /// Extracts the key ID from a file name such as `AuthKey_ABC123DEFG.p8`; nil if there is none.
  public init?(fileName: String) {
    let name = fileName.split(separator: "/").last ?? ""
    let prefixes = ["AuthKey_", "APNSAuthKey_"]
    guard name.hasSuffix(".p8"), let prefix = prefixes.first(where: { name.hasPrefix($0) }) else {
      return nil
    }
    let characters = name.dropFirst(prefix.count).dropLast(3)
    guard let id = try? KeyID(String(characters)) else { return nil }
    self = id
  }
}

/// The ten-character ID of a developer team.
public struct TeamID: Sendable, Hashable {
  /// The characters: `A` to `Z` and `0` to `9`.
  public let text: String

  /// Creates a team ID.
  ///
  /// - Throws: `IdentifierError` unless it is ten uppercase letters and digits.
  public init(_ text: String) throws(IdentifierError) {
    self.text = try checkedIdentifier(text)
  }
}

/// The reason a text is not a valid key ID or team ID.
public enum IdentifierError: Error, Sendable, Hashable {
  /// It has this many characters instead of ten.
  case wrongLength(Int)
  /// It contains a character other than an uppercase letter or digit.
  case badCharacter(Unicode.Scalar)
}

extension IdentifierError {
  /// The fault, without a full stop; safe to print.
  package var clause: String {
    switch self {
    case .wrongLength(1): "it has 1 character instead of ten"
    case .wrongLength(let count): "it has \(count) characters instead of ten"
    case .badCharacter(let scalar): "'\(scalar.printable)' is not an uppercase letter or digit"
    }
  }
}

private func checkedIdentifier(_ text: String) throws(IdentifierError) -> String {
  let stranger = text.unicodeScalars.first { !("A"..."Z" ~= $0 || "0"..."9" ~= $0) }
  if let stranger { throw .badCharacter(stranger) }
  if text.utf8.count != 10 { throw .wrongLength(text.utf8.count) }
  return text
}
