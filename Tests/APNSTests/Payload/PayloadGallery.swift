import APNS
import JSONText
import Testing

/// Keeps the files in `payloads` and their README true.
@Suite struct PayloadGallery {
  @Test("Every push type has a folder, and there is no other")
  func folders() throws {
    let folders = Set(try GalleryFile.all().map(\.folder))
    #expect(folders == Set(PushType.table.map(\.type.rawValue)))
  }

  @Test("No file breaks a rule, not even one that only warns", arguments: try GalleryFile.all())
  func rules(file: GalleryFile) throws {
    let info = try file.info()
    let topic = info.usesBundleID ? "com.example.shop" + info.suffix : "com.apple.mgmt.External.1"
    #expect(try file.problems(topic: topic).map(\.message) == [])
  }

  @Test("A push type told by a payload is that of its folder", arguments: try GalleryFile.all())
  func inference(file: GalleryFile) throws {
    let inferred = PushTypeInference.infer(from: try file.json())?.rawValue
    #expect(inferred == nil || inferred == file.folder)
  }

  @Test("Apple's keys have values of their kind", arguments: try GalleryFile.all())
  func keys(file: GalleryFile) throws {
    let aps = try file.rendered()["aps"]
    #expect(misusedKeys(under: "aps", aps) == [])
  }

  // Keys of content-state, attributes and localized texts are the app's own: no row begins so.
  private func misusedKeys(under path: String, _ value: JSON?) -> [String] {
    guard PayloadKey.table.contains(where: { $0.path.hasPrefix(path + ".") }) else { return [] }
    return value?.object?.members.flatMap { member in
      let path = "\(path).\(member.key)"
      let row = PayloadKey.table.first { $0.path == path }
      let isRight = row?.kinds.contains { $0.matches(member.value) } ?? false
      return (isRight ? [] : [path]) + misusedKeys(under: path, member.value)
    } ?? []
  }

  // Apple, "Starting and updating Live Activities with ActivityKit push notifications".
  private static let neededKeys = [
    "start": ["timestamp", "content-state", "attributes-type", "attributes", "alert"],
    "update": ["timestamp", "content-state"],
    "end": ["timestamp"],
  ]

  @Test("A Live Activity has the keys its event needs", arguments: try activities())
  func activity(file: GalleryFile) throws {
    let aps = try #require(try file.json()["aps"]?.object)
    let event = try #require(aps["event"]?.string)
    let needed = try #require(Self.neededKeys[event], "there is no event \(event)")
    #expect(needed.filter { aps[$0] == nil } == [])
    #expect(event == "start" || aps["attributes"] == nil)
  }

  @Test("The times of a Live Activity become seconds of our years", arguments: try activities())
  func times(file: GalleryFile) throws {
    let aps = try file.rendered()["aps"]
    for key in ["timestamp", "stale-date", "dismissal-date"] {
      guard let value = aps?[key] else { continue }
      let seconds = try #require(value.number?.double, "\(key) is not a number")
      #expect(1_700_000_000..<2_000_000_000 ~= seconds, "\(key)")
    }
  }

  private static func activities() throws -> [GalleryFile] {
    try GalleryFile.all().filter { $0.folder == "liveactivity" }
  }

  @Test("Every file is indented by two spaces and ends its line", arguments: try GalleryFile.all())
  func layout(file: GalleryFile) throws {
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(text == (try file.json().encodedString(.pretty)) + "\n")
  }
}
