internal import POSIX
internal import PlainText

/// The files of a new project.
struct NewProject {
  /// Their names; the one that refers to the others comes last.
  static let names = ["payloads/hello.json", "scenarios/hello.json5", "fanfare.json"]

  let answers: ProjectAnswers
  /// Where they go; it need not exist.
  let folder: String

  /// The files' texts, in the order of their names.
  private var texts: [String] {
    let profiles = ProfilesText(answers: answers, keyPath: keyPath)
    return [ProjectTexts.payload, ProjectTexts.scenario, profiles.text]
  }

  /// The key as `fanfare.json` names it: paths in it are relative to its folder.
  private var keyPath: String? {
    answers.key.map { key in
      let isSame = key.hasPrefix("/") || folder == "."
      return isSame ? key : "\(ProcessFacts.workingFolder)/\(key)"
    }
  }

  private func path(_ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }

  /// Checks, before anything is asked, whether there is another project.
  ///
  /// - Throws: `Failure.filesAreThere`.
  func refuseOthers() throws(Failure) {
    let profiles = path(Configuration.name)
    if fileExists(profiles) { throw .filesAreThere([profiles]) }
  }

  /// Writes all files or none. Existing files with the same contents stay.
  ///
  /// - Returns: the paths of the files.
  /// - Throws: `Failure` when nothing was written.
  func write() throws(Failure) -> [String] {
    let files = zip(Self.names.map(path), texts).map { (path: $0.0, text: $0.1) }
    let others = files.filter { fileExists($0.path) && !holds($0.path, $0.text) }
    if !others.isEmpty { throw .filesAreThere(others.map(\.path)) }
    do throws(FileFailure) {
      try writeTogether(files.filter { !fileExists($0.path) }, for: "project")
    } catch {
      throw .file(error)
    }
    return files.map(\.path)
  }

  private func holds(_ path: String, _ text: String) -> Bool {
    (try? readFile(path, for: "project")) == Array(text.utf8)
  }
}

extension Failure {
  /// Files that would be made exist already, with other contents.
  static func filesAreThere(_ paths: [String]) -> Failure {
    Failure(
      "\(paths.map(\.printable).joined(separator: ", ")): already exists; nothing was written.",
      fix: "Name another folder, or move the existing files out of the way.")
  }

  /// A question has to be answered, and there are no more answers. Nothing was done.
  static var noAnswer: Failure {
    Failure(
      "There was no answer; nothing was written.", fix: "Give options, or --yes for an example.")
  }
}
