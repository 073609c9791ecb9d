internal import PlainText
internal import PushInbox
internal import Reporting
internal import Settings

/// The file of `--inbox-key`.
enum InboxKeyFile {
  /// Reads the key from a file. If the file does not exist, a new key is written to it.
  static func key(in path: String) throws(Failure) -> InboxKey {
    if !fileExists(path) { return try write(InboxKey(), path) }
    let text = String(decoding: try readText(path, for: "inbox key"), as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace)
    if words.isEmpty {
      throw Failure(
        "The file \(path.printable) is empty: it should have the key of an inbox.",
        fix: "Remove it, and a file with a new key is written in its place.")
    }
    guard words.count == 1, let key = InboxKey(words[0]) else {
      throw Failure(
        "The file \(path.printable) does not have the key of an inbox: \(InboxKey.shortest) to "
          + "\(InboxKey.longest) letters, digits, '-' or '_'.",
        fix: "Name a file that does not exist yet, and a key is written into it.")
    }
    return key
  }

  private static func write(_ key: InboxKey, _ path: String) throws(Failure) -> InboxKey {
    do throws(FileFailure) {
      let file = try NewFile(path, for: "inbox key")
      file.output.write(key.text + "\n")
      try file.finish()
    } catch {
      throw .file(error)
    }
    return key
  }
}
