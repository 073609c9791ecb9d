internal import JSONText

/// Who may read and write a file with a secret in it.
struct FilePermissions {
  let path: String
  let mode: UInt16

  /// Whether others than its owner may read it.
  var isExposed: Bool { mode & 0o044 != 0 }

  /// Whether others than its owner may write to it, for which `send` refuses it.
  var isWritable: Bool { mode & 0o022 != 0 }

  /// The mode, and what is wrong with it.
  func row(_ style: Style) -> String {
    let fix = "; chmod 600 \(shellWord(path))"
    if isWritable { return "\(octal(mode)), \(style.bad("others can change it"))\(fix)" }
    if isExposed { return "\(octal(mode)), \(style.doubtful("others can read it"))\(fix)" }
    return "\(octal(mode)), only its owner can read it"
  }
}

extension [(String, JSON)] {
  /// Members about who may read the file; all null for what is no ordinary file.
  static func permissions(_ permissions: FilePermissions?) -> [(String, JSON)] {
    [
      ("mode", .text(permissions.map { octal($0.mode) })),
      ("readableByOthers", .flag(permissions?.isExposed)),
      ("writableByOthers", .flag(permissions?.isWritable)),
    ]
  }
}
