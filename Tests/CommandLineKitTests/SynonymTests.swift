import CommandLineKit
import Testing

@Suite("A word that means the same as another")
struct SynonymTests {
  private static let synonyms = Synonyms(
    commands: [
      ("cook", ["brew"]), ("recepies", ["recipes list"]), ("print", ["recipes list --limit 1"]),
      ("recipes rm", ["check"]), ("recipes ls", ["recipes list"]),
    ],
    options: [
      ("--tea", ["--leaf"]), ("--cold", ["--temperature 20"]), ("--book", ["--recipe", "recipes"]),
      ("-V", ["--version"]),
    ],
    values: ["--leaf": [("sencha", ["green"]), ("lapsang", ["smoked"])]])

  private let tool = {
    var tool = kettle
    tool.synonyms = { SynonymTests.synonyms }
    return tool
  }()

  static let rows: [(words: [String], meant: String)] = [
    (["cook"], "'brew'"), (["Cook"], "'brew'"), (["recepies"], "'recipes list'"),
    (["print"], "'recipes list --limit 1'"), (["help", "cook"], "'brew'"),
    (["recipes", "ls"], "'list'"), (["recipes", "rm"], "'kettle check'"),
    // The name of a command elsewhere.
    (["list"], "'recipes list'"), (["recipes", "brew"], "'kettle brew'"),
    (["brew", "--tea", "x"], "'--leaf'"), (["brew", "--tea=x"], "'--leaf'"),
    (["brew", "--cold"], "'--temperature 20'"), (["brew", "--book"], "'kettle recipes'"),
    (["recipes", "list", "--book"], "'kettle recipes'"), (["-V"], "'--version'"),
    (["brew", "--leaf", "sencha"], "'green'"),
    // What is spelt alike but for dashes, or begins alike.
    (["brew", "--SecondLeaf"], "'--second-leaf'"), (["brew", "--temp"], "'--temperature'"),
    (["brew", "--gest"], "'--guest'"),
  ]

  @Test("is what is suggested", arguments: rows)
  func suggested(_ row: (words: [String], meant: String)) {
    #expect(message(of: row.words).contains("Did you mean \(row.meant)?"), "\(row.words)")
  }

  @Test(
    "is not suggested where it has no place",
    arguments: [
      ["recipes", "list", "--tea"], ["brew", "--leaf", "lapsang"], ["recipes", "cook"],
    ])
  func silent(_ words: [String]) { #expect(!message(of: words).contains("Did you mean")) }

  @Test("sixteen hex digits or more show their end only, for they may be a token")
  func tokens() {
    let token = "0A1b2c3d4e5f6071"
    for words in [[token], ["recipes", "list", token], ["brew", "-l", token]] {
      #expect(message(of: words).contains("'…4e5f6071'"), "\(words)")
      #expect(!message(of: words).contains("0A1b"), "\(words)")
    }
  }

  private func message(of words: [String]) -> String {
    do throws(UsageError) {
      _ = try tool.parse(words)
      return ""
    } catch {
      return error.message
    }
  }
}
