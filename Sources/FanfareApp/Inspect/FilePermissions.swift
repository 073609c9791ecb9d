internal import JSONText

/// Who may read and write a file that holds a secret.
struct FilePermissions {
  let path: String
  let mode: UInt16

  private var isReadableByOthers: Bool { mode & 0o044 != 0 }

  /// Then `send` refuses it.
  private var isWritableByOthers: Bool { mode & 0o022 != 0 }

  /// For people.
  var row: Report.Part {
    let fix = "; chmod 600 \(shellWord(path))"
    let state: StyledText =
      if isWritableByOthers {
        "\("writable by others", .bad)\(fix)"
      } else if isReadableByOthers {
        "\("readable by others", .doubtful)\(fix)"
      } else {
        "only its owner can read it"
      }
    return .text("permissions", "\(octal(mode)), \(state)")
  }

  /// For people and programs.
  static func parts(_ permissions: FilePermissions?) -> [Report.Part] {
    [permissions?.row].compactMap(\.self) + members(permissions)
  }

  /// For programs; all null for what is not an ordinary file.
  static func members(_ permissions: FilePermissions?) -> [Report.Part] {
    [
      .json("mode", .text(permissions.map { octal($0.mode) })),
      .json("readableByOthers", .flag(permissions?.isReadableByOthers)),
      .json("writableByOthers", .flag(permissions?.isWritableByOthers)),
    ]
  }
}
