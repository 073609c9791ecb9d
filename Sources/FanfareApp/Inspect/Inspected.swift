internal import APNS
internal import JSONText

/// What `inspect` tells of a file. It holds no secret.
protocol Inspected {
  /// What is told, after the file's name.
  var parts: [Report.Part] { get }
}

/// A file about which there is nothing to tell. Standard error says why.
struct UninspectedFile: Inspected {
  let file: String
  let failure: Failure

  var parts: [Report.Part] {
    let problem = Problem.all(of: failure, in: file).first
    return [
      .json("kind", "unknown"), .json("problem", .text(problem?.message)),
      .json("fix", .text(problem?.fix)),
    ]
  }
}

/// Who may read and write a file that holds a secret.
struct FilePermissions {
  let path: String
  let mode: UInt16

  private var isReadableByOthers: Bool { mode & 0o044 != 0 }

  /// Then `send` refuses it.
  private var isWritableByOthers: Bool { mode & 0o022 != 0 }

  /// The mode, and what is wrong with it.
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

  /// Who may read the file, for programs; all null for what is not an ordinary file.
  static func members(_ permissions: FilePermissions?) -> [Report.Part] {
    [
      .json("mode", .text(permissions.map { octal($0.mode) })),
      .json("readableByOthers", .flag(permissions?.isReadableByOthers)),
      .json("writableByOthers", .flag(permissions?.isWritableByOthers)),
    ]
  }
}
