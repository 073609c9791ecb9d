import APNS
import Testing

/// Keeps the table in `payloads/README.md` true.
@Suite struct PayloadGalleryREADME {
  @Test("The table names each file once, and no other")
  func files() throws {
    #expect(try GalleryRow.all().map(\.file).sorted() == GalleryFile.all().map(\.path))
  }

  @Test("A row is about its own file", arguments: try GalleryRow.all())
  func row(row: GalleryRow) {
    #expect(row.link == row.file)
    #expect(row.payloadOption == "payloads/" + row.file)
    #expect(row.file.hasPrefix(row.type + "/"))
    #expect(row.summary.hasSuffix("."))
  }

  @Test("A command breaks no rule, and says the push type if it has to", arguments: try pairs())
  func command(row: GalleryRow, file: GalleryFile) throws {
    let inferred = PushTypeInference.infer(from: try file.json())
    #expect(row.typeOption == (inferred == nil ? file.folder : nil))
    #expect(row.aboutOption == (file.folder == "mdm" ? "--topic" : "--bundle-id"))
    #expect(try file.problems(topic: row.topic()).map(\.message) == [])
  }

  private static func pairs() throws -> [(GalleryRow, GalleryFile)] {
    let files = try GalleryFile.all()
    return try GalleryRow.all().compactMap { row in
      files.first { $0.path == row.file }.map { (row, $0) }
    }
  }
}
