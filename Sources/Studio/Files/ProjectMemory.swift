internal import JSONText
internal import Reporting
internal import Synchronization
internal import WebServer

/// What the page remembers of a project, such as whom a file was sent to last: values by name, in a
/// file that only the user can read. A browser would show them to whatever listens on the port next.
final class ProjectMemory: Sendable {
  /// In bytes. Beyond it the values that were kept first are forgotten.
  static let limit = 1 << 20

  private let place: String?
  private let turn = Mutex(())

  /// - Parameters:
  ///   - stateFolder: the user's folder for state; nil for none.
  ///   - project: the project's folder.
  init(in stateFolder: String?, of project: String) {
    let name = FileState.version(of: Array(project.utf8))
    place = stateFolder.map { "\($0)/studio-memory/\(name).json" }
  }

  /// All values, as an object; an empty one if they cannot be read.
  var values: JSON { JSON(.object(object)) }

  private var object: JSONObject {
    let text = place.flatMap { try? readFile($0, for: "memory", limit: Self.limit) }
    return (try? JSONReader().read(text ?? []))?.object ?? JSONObject()
  }

  /// Keeps a value in place of the one with its name.
  func keep(_ name: String, _ value: JSON) throws(HTTPRefusal) {
    guard let place else { return }
    try turn.withLock { _ throws(HTTPRefusal) in
      let others = object.members.filter { $0.key != name }
      let text = Self.text(others + [JSONMember(key: name, value: value)])
      do throws(FileFailure) {
        try createFolders(of: place, mode: 0o700)
        try replaceFile(place, with: text, for: "memory", mode: 0o600)
      } catch {
        throw .failed(error)
      }
    }
  }

  /// The last of the values that there is room for.
  private static func text(_ members: [JSONMember]) -> [UInt8] {
    let text = JSON(.object(JSONObject(members))).encoded(.wire)
    return text.count <= limit ? text : self.text(Array(members.dropFirst()))
  }
}
