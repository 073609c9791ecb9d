internal import Foundation

/// The text of a key, from wherever a person keeps it.
public enum KeyText {
  /// What a variable such as `FANFARE_KEY` holds.
  public enum Form: Sendable, Hashable {
    /// A path to a file.
    case path(String)
    /// PEM text, ready to be parsed.
    case pem([UInt8])
  }

  /// Tells PEM text, also on one line with `\n`, and PEM in base64 from a path.
  public static func form(of value: String) -> Form {
    if value.contains("-----BEGIN ") { return .pem(unfolded(value)) }
    if let data = Data(base64Encoded: value, options: .ignoreUnknownCharacters),
      let text = String(data: data, encoding: .utf8), text.contains("-----BEGIN ")
    {
      return .pem(unfolded(text))
    }
    return .path(value)
  }

  /// PEM with real line ends, as PEM readers insist.
  private static func unfolded(_ text: String) -> [UInt8] {
    Array(
      text.split(separator: "\\n", omittingEmptySubsequences: false).joined(separator: "\n").utf8)
  }
}
