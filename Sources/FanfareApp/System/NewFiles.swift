internal import POSIX

/// Several new files that appear together, or not at all: each is whole, beside its place, before
/// the first is put there.
struct NewFiles {
  private let files: [(path: String, text: String)]

  /// - Parameter files: paths at which there is nothing, and what is to be there.
  init(_ files: [(path: String, text: String)]) { self.files = files }

  /// Writes them, and the folders they are in.
  ///
  /// - Throws: `FileFailure`, when nothing of it is left.
  func write() throws(FileFailure) {
    var folders: [String] = []
    var placed: [String] = []
    do throws(FileFailure) {
      for file in files { try makeFolders(of: file.path, &folders) }
      let drafts = try files.map { (file) throws(FileFailure) in try draft(file) }
      for (draft, file) in zip(drafts, files) {
        try draft.finish()
        placed.append(file.path)
      }
    } catch {
      for path in placed { unlink(path) }
      for folder in folders.reversed() { rmdir(folder) }
      throw error
    }
  }

  private func draft(_ file: (path: String, text: String)) throws(FileFailure) -> NewFile {
    let draft = try NewFile(file.path, for: "project", mode: 0o644)
    draft.output.write(file.text)
    try draft.complete()
    return draft
  }

  /// Makes the folders that are not there, and remembers them.
  private func makeFolders(of path: String, _ made: inout [String]) throws(FileFailure) {
    for end in path.indices.dropFirst() where path[end] == "/" {
      let folder = String(path[..<end])
      if fileExists(folder) { continue }
      try createFolder(folder)
      made.append(folder)
    }
  }
}
