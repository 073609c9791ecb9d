package import APNS
internal import POSIX
internal import PlainText
internal import Reporting

/// The folder of a project: the nearest one above a file that is a repository, or has a
/// `fanfare.json`; without one, the parent of the file's folder.
package struct ProjectRoot {
  let path: String

  init(of file: String) {
    let written = parentFolder(of: file)
    let folder = realPath(written) ?? written
    let parent = parentFolder(of: folder)
    path =
      sequence(first: folder, next: Self.above).first(where: Self.isRoot)
      ?? (parent == "/" ? folder : parent)
  }

  /// The project around a folder; without one, the folder itself. Nil if it contains the user's
  /// home folder, which holds all kinds of files.
  init?(around folder: String, _ home: String?) {
    let project = sequence(first: folder, next: Self.above).first(where: Self.isRoot)
    path = project ?? folder
    if project == nil, home.map(contains) ?? true { return nil }
  }

  /// The folder that identifies the project around a folder; without one, the folder itself.
  package static func folder(around folder: String) -> String {
    let folder = realPath(folder) ?? folder
    return sequence(first: folder, next: above).first(where: isRoot) ?? folder
  }

  /// The requests to read files outside the project.
  func deeds(reading files: [String]) -> [String] {
    Set(files).filter { !contains($0) }.sorted().map {
      "reads \($0.printable), which is outside \(path.printable)"
    }
  }

  /// True if a path leads to a file in the project, with links resolved. For a missing file the
  /// nearest existing folder above it counts.
  func contains(_ file: String) -> Bool {
    // Files opened by the caller's shell are allowed.
    let isOpen = file.hasPrefix("/dev/fd/") && UInt16(file.dropFirst(8)) != nil
    if isOpen || file == "-" || file == "/dev/stdin" { return true }
    let places = sequence(first: file, next: Self.above)
    // Not lazily: 'first' would look twice, and a file may be gone by then.
    guard let real = places.compactMap(realPath).first else { return true }
    return real == path || real.hasPrefix(path == "/" ? path : path + "/")
  }

  private static func above(_ path: String) -> String? {
    path == "/" || path == "." ? nil : parentFolder(of: path)
  }

  /// True if the user or root has made a folder a project.
  private static func isRoot(_ folder: String) -> Bool {
    [".git", Configuration.name].contains { name in
      var status = stat()
      guard stat("\(folder)/\(name)", &status) == 0 else { return false }
      return status.st_uid == geteuid() || status.st_uid == 0
    }
  }
}

extension [Problem] {
  /// The same problems, but only the places of those in files outside the project of the file that
  /// names them, links included: what such a file holds may be a secret, and this may be a log.
  ///
  /// - Parameters:
  ///   - owner: the file that names the others; nil if the user named each.
  ///   - known: further files that the user named.
  package func hidingContents(
    outsideProjectOf owner: String?, except known: [String] = []
  ) -> [Problem] {
    var told: [Problem] = []
    for problem in self {
      let file = problem.file.flatMap { known.contains($0) ? nil : $0 }
      let root = file.map { ProjectRoot(of: owner ?? $0) }
      let isHidden = file.map { !(root?.contains($0) ?? true) } ?? false
      let shown = isHidden ? problem.withoutContents(outside: root?.path ?? "") : problem
      if !told.contains(shown) { told.append(shown) }
    }
    return told
  }
}

extension Problem {
  fileprivate func withoutContents(outside root: String) -> Problem {
    Problem(
      severity, rule: rule, at: .other("contents"), from: origin,
      message: "Not shown, because the file is outside \(root.printable).",
      fix: "Check that file by its own path to see more.", isForceable: isForceable)
  }
}
