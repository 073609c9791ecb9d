import Foundation
import Reporting
import TestSupport
import Testing

@Suite("A folder's listing")
struct FolderListingTests {
  @Test("leaves out a pipe, which might never end")
  func pipe() throws {
    try withTemporaryFolder { folder in
      let payload = try folder.write("a.json", "{}")
      #expect(mkfifo(folder.file("b.json"), 0o600) == 0)
      #expect(FolderListing(folder.path).files == [payload])
    }
  }
}
