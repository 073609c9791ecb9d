internal import POSIX
internal import Reporting
internal import Settings
internal import WebServer

/// The folder that a studio serves, and the rules for the files in it.
struct ProjectFolder: Sendable {
  /// The endings of the files that are served, in lowercase.
  static let endings: Set<Substring> = ["json5", "json", "apns", "txt", "csv", "tsv", "jsonl"]

  /// The real path of the folder, without a slash at its end.
  let root: String
  /// The files of settings, which are never served, under any name.
  private let withheld: [String]

  /// - Parameter path: an existing folder.
  init(_ path: String, withholding paths: [String] = []) {
    let real = realPath(path) ?? path
    root = real == "/" ? "" : real
    withheld = paths + ["\(root)/\(Configuration.name)"]
  }

  /// The place of a file, which need not exist yet.
  ///
  /// - Throws: `HTTPRefusal` for a path that leads elsewhere, and for other files.
  func place(of path: String) throws(HTTPRefusal) -> String {
    let place = root + "/" + path
    guard Self.isPlain(path), Self.isServed(path), leadsInside(place, Self.isServed),
      !withheld.contains(where: { areSameFile($0, place) })
    else { throw .outside }
    return place
  }

  /// Checks that a word names an existing file, or a folder, to read.
  func checkReadable(_ word: String) throws(HTTPRefusal) {
    let place = word == "." ? root : root + "/" + word
    guard FolderListing.isFolder(place) else { return _ = try existing(word) }
    guard word == "." || Self.isPlain(word), leadsInside(place, { _ in true }) else {
      throw .outside
    }
  }

  /// The place of a file that exists.
  func existing(_ path: String) throws(HTTPRefusal) -> String {
    let place = try place(of: path)
    guard isPlainFile(place) else { throw .missing }
    return place
  }

  /// The paths of all files, and how many are left out because of their names.
  var paths: (served: [String], leftOut: Int) {
    let all = FolderListing(root.isEmpty ? "/" : root).files.map {
      String($0.dropFirst(root.count + 1))
    }
    return (
      all.filter { (try? existing($0)) != nil },
      all.count { Self.isServed($0) && !Self.isPlain($0) }
    )
  }

  /// Tests for a relative path without `.`, `..`, hidden names and control characters, that is
  /// neither an option nor in a home folder.
  private static func isPlain(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isClean = path.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    return isClean && !["-", "~", "@"].contains(path.first) && path.utf8.count <= 1024
      && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && $0.utf8.count <= 200 }
  }

  private static func isServed(_ path: String) -> Bool {
    let name = (path.split(separator: "/").last ?? "").lowercased()
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 && endings.contains(parts[parts.count - 1])
      && name != Configuration.name
  }

  /// Follows links, as far as the place exists.
  private func leadsInside(_ place: String, _ isServed: (String) -> Bool) -> Bool {
    var (existing, isWhole, status) = (place, true, stat())
    while lstat(existing, &status) != 0 {
      (existing, isWhole) = (parentFolder(of: existing), false)
    }
    // A link to nothing has no real path.
    guard let real = realPath(existing), (real + "/").hasPrefix(root + "/") else { return false }
    let rest = real.dropFirst(root.count + 1)
    return rest.split(separator: "/").allSatisfy { !$0.hasPrefix(".") }
      && (!isWhole || isServed(String(rest)))
  }
}

// Refusals of files.
extension HTTPRefusal {
  static var outside: HTTPRefusal {
    let endings = ProjectFolder.endings.sorted().map { ".\($0)" }.joined(separator: ", ")
    return HTTPRefusal(
      forbidden, "The path is not one of the studio's files.",
      fix: "Name a file in the folder, without links out of it and hidden names: \(endings).")
  }

  static var missing: HTTPRefusal {
    HTTPRefusal(notFound, "There is no such file.", fix: "It may have been moved or deleted.")
  }

  static func failed(_ failure: FileFailure) -> HTTPRefusal {
    if case .tooLarge(let limit) = failure.fault {
      return HTTPRefusal(
        tooLarge, "The file is longer than \(limit) bytes, the most that the studio opens.",
        fix: "Edit it with another program.")
    }
    return HTTPRefusal(conflict, failure.sentence, fix: failure.fix)
  }

  static let conflict = 409
}
