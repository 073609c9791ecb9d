internal import POSIX
internal import PlainText

/// The files of a new project.
struct NewProject {
  /// Their names; the one that refers to the others comes last.
  static let names = ["payloads/hello.json", "scenarios/hello.json5", "fanfare.json"]

  /// Where they go; it need not exist.
  let folder: String

  private func path(_ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }

  /// - Throws: `Failure.filesAreThere` when there is another project.
  func refuseOthers() throws(Failure) {
    let profiles = path(Configuration.name)
    if fileExists(profiles) { throw .filesAreThere([profiles]) }
  }

  /// Writes all files or none. Existing files with the same contents stay.
  ///
  /// - Returns: the paths of the files.
  /// - Throws: `Failure` when nothing was written.
  func write(_ answers: ProjectAnswers) throws(Failure) -> [String] {
    let profiles = ProfilesText(answers: answers, keyPath: answers.key.map(keyPath))
    let texts = [ProjectTexts.payload, ProjectTexts.scenario, profiles.text]
    let files = zip(Self.names.map(path), texts).map { (path: $0.0, text: $0.1) }
    let others = files.filter { fileExists($0.path) && !holds($0.path, $0.text) }
    if !others.isEmpty { throw .filesAreThere(others.map(\.path)) }
    do throws(FileFailure) {
      try NewFiles(files.filter { !fileExists($0.path) }).write()
    } catch {
      throw .file(error)
    }
    return files.map(\.path)
  }

  /// The key as `fanfare.json` names it: paths in it are relative to its folder.
  private func keyPath(_ key: String) -> String {
    key.hasPrefix("/") || folder == "." ? key : "\(ProcessFacts.workingFolder)/\(key)"
  }

  private func holds(_ path: String, _ text: String) -> Bool {
    (try? readFile(path, for: "project")) == Array(text.utf8)
  }
}

extension Failure {
  /// Files that would be made exist already, with other contents.
  fileprivate static func filesAreThere(_ paths: [String]) -> Failure {
    Failure(
      "\(paths.map(\.printable).joined(separator: ", ")): already exists; nothing was written.",
      fix: "Name another folder, or move the existing files out of the way.")
  }
}
