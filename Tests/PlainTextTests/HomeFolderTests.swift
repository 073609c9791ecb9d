import PlainText
import Testing

@Suite("A path that begins at home")
struct HomeFolderTests {
  static let rows: [(path: String, home: String?, expanded: String)] = [
    ("~/keys/k.p8", "/home/ada", "/home/ada/keys/k.p8"), ("~", "/home/ada", "/home/ada"),
    ("~ada/k.p8", "/home/ada", "~ada/k.p8"), ("./~/k.p8", "/home/ada", "./~/k.p8"),
    ("k~/x", "/home/ada", "k~/x"), ("", "/home/ada", ""), ("~/x", nil, "~/x"), ("~/x", "", "~/x"),
  ]

  @Test("has the home folder for its tilde, where one is known", arguments: rows)
  func expanded(_ row: (path: String, home: String?, expanded: String)) {
    #expect(row.path.expandingTilde(row.home) == row.expanded)
  }
}
