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
  private let held: HeldFolder
  /// The files of settings, which are never served, under any name.
  private let withheld: [String]

  /// - Parameter path: an existing folder.
  init(_ path: String, withholding paths: [String] = []) {
    let real = realPath(path) ?? path
    root = real == "/" ? "" : real
    held = HeldFolder(real)
    withheld = paths + ["\(root)/\(Configuration.name)"]
  }

  /// A file, which need not exist yet. Where its path leads is held against the folder, and then walked
  /// from it without following links: one that is put there meanwhile leads nowhere.
  ///
  /// - Parameters:
  ///   - isLink: a link at its end is meant itself.
  ///   - makesFolders: the folders that it needs are made.
  /// - Throws: `HTTPRefusal` for a path that leads elsewhere, and for other files.
  func file(
    _ path: String, isLink: Bool = false, makesFolders: Bool = false
  ) throws(HTTPRefusal) -> HeldFile {
    var real: String? = try check(path)
    if isLink { real = resolved(path, withLink: true) }
    guard let real else { throw .outside }
    return try HeldFile(real, below: held, making: makesFolders ? 0o755 : nil)
  }

  /// Checks that a path, at which there need not be a file yet, is one of the studio's.
  ///
  /// - Returns: the path that it leads to.
  @discardableResult
  func check(_ path: String) throws(HTTPRefusal) -> String {
    let place = root + "/" + path
    guard Self.isPlain(path), Self.isServed(path), let real = resolved(path),
      !fileExists(place) || Self.isServed(real),
      !withheld.contains(where: { areSameFile($0, place) })
    else { throw .outside }
    return real
  }

  /// Checks that a word names an existing file, or a folder, to read.
  func checkReadable(_ word: String) throws(HTTPRefusal) {
    let place = word == "." ? root : root + "/" + word
    guard FolderListing.isFolder(place) else { return _ = try state(of: word) }
    guard word == "." || Self.isPlain(word) && resolved(word) != nil else { throw .outside }
  }

  /// The state of a file that exists.
  @discardableResult
  func state(of path: String) throws(HTTPRefusal) -> FileState {
    guard let state = try file(path).state else { throw .missing }
    return state
  }

  /// The paths of all files, and how many are left out because of their names.
  var paths: (served: [String], leftOut: Int) {
    let all = FolderListing(root.isEmpty ? "/" : root).files.map {
      String(Substring($0.utf8.dropFirst(root.utf8.count + 1)))
    }
    return (
      all.filter { (try? state(of: $0)) != nil },
      all.count { Self.isServed($0) && !Self.isPlain($0) }
    )
  }

  /// Tests for a relative path without `.`, `..`, hidden names and control characters, that is
  /// neither an option nor in a home folder.
  private static func isPlain(_ path: String) -> Bool {
    let bytes = path.utf8
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && bytes.count <= 1024
      && !"-~@".utf8.contains(bytes.first ?? 0)
      && parts.allSatisfy { 1...200 ~= $0.count && $0.first != UInt8(ascii: ".") }
  }

  private static func isServed(_ path: String) -> Bool {
    let name = (path.split(separator: "/").last ?? "").lowercased()
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 && endings.contains(parts[parts.count - 1])
      && name != Configuration.name
  }

  /// The path below the folder that a path leads to, with links resolved as far as it exists.
  ///
  /// - Parameter isLink: a link at its end is not resolved.
  /// - Returns: nil if it leads elsewhere, or to something hidden.
  private func resolved(_ path: String, withLink isLink: Bool = false) -> String? {
    var (existing, status) = ("\(root)/\(path)", stat())
    var missing: [Substring] = []
    while lstat(existing, &status) != 0 || isLink && missing.isEmpty {
      missing.append(existing.split(separator: "/").last ?? "")
      existing = parentFolder(of: existing)
    }
    // A link to nothing has no real path. In bytes: a slash and an accent behind it are one character.
    guard let real = realPath(existing), "\(real)/".utf8.starts(with: "\(root)/".utf8) else {
      return nil
    }
    let rest = real.utf8.dropFirst(root.utf8.count + 1).split(separator: UInt8(ascii: "/"))
    if rest.contains(where: { $0.first == UInt8(ascii: ".") }) { return nil }
    return (rest.map { Substring($0) } + missing.reversed()).joined(separator: "/")
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
    switch failure.fault {
    case .tooLarge(let limit):
      HTTPRefusal(
        tooLarge, "The file is longer than \(limit) bytes, the most that the studio opens.",
        fix: "Edit it with another program.")
    case .missing: .missing
    // What was a folder or a file is a link now.
    case .system(ELOOP), .system(ENOTDIR): .outside
    default: HTTPRefusal(conflict, failure.sentence, fix: failure.fix)
    }
  }

  static let conflict = 409
}
