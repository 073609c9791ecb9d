internal import APNS
internal import POSIX

extension PushType {
  /// The push type that a file's folder is named after, as in `payloads/voip/call.json`; nil when
  /// the folder has another name.
  init?(namedByFolderOf path: String) {
    guard path != "-" else { return nil }
    let parts = path.split(separator: "/")
    let isBare = parts.count < 2 || parts[parts.count - 2] == "."
    let folder = isBare ? Self.currentFolder : String(parts[parts.count - 2])
    self.init(rawValue: folder)
    if info == nil { return nil }
  }

  private static var currentFolder: String {
    ProcessFacts.workingFolder.split(separator: "/").last.map(String.init) ?? ""
  }
}
