import Foundation
import TestSupport
import Testing

@testable import Settings

@Suite("A project's folder")
struct ProjectRootTests {
  @Test("contains no folder beside it whose name only begins like its own")
  func neighbor() throws {
    try withTemporaryFolder { folder in
      for name in ["shop/.git", "shop-secrets"] { try folder.makeFolder(name) }
      let inside = try folder.write("shop/fanfare.json", "{}")
      let beside = try folder.write("shop-secrets/key.p8", "secret")
      let root = ProjectRoot(of: inside)
      #expect(root.contains(inside) && root.contains(folder.file("shop")))
      #expect(!root.contains(beside) && !root.contains(folder.file("shop-secrets")))
    }
  }
}
