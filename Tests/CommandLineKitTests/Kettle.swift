import CommandLineKit

/// The tool that the tests drive.
let kettle: Tool = {
  var tool = Tool(
    "kettle", "Make tea from the shell.", version: "1.2.3",
    commands: [Brew.self, Recipes.self, Check.self])
  tool.discussion = """
    The kettle is filled by hand. Everything else, from the temperature of the water to \
    the time that the leaves stay in it, is up to you.

    It never boils dry.
    """
  tool.start = "kettle 1.2.3\nTry 'kettle brew'.\n"
  tool.examples = [Example("kettle brew --leaf oolong", "Make a cup of oolong.")]
  tool.exitCodes = [Definition("0", "There is tea."), Definition("2", "The words make no sense.")]
  tool.environment = [Definition("KETTLE_LEAF", "The leaf to use when no option names one.")]
  tool.files = [Definition("~/.config/kettle/recipes.json", "Your own recipes.")]
  return tool
}()

enum Leaf: String, ArgumentValue, CaseIterable { case green, black, oolong }

/// A temperature, for the sake of a value with rules of its own.
struct Celsius: ArgumentValue, Equatable {
  var degrees: Int

  init(degrees: Int) { self.degrees = degrees }

  init(argument word: String) throws(BadValue) {
    degrees = try Int(argument: word)
    guard degrees <= 100 else { throw .because("water boils at 100") }
  }

  var argumentText: String { String(degrees) }
}

/// A part that two commands contain.
struct WaterOptions: Equatable {
  var celsius = Celsius(degrees: 95)
  var isFiltered: Bool?

  static let group = OptionGroup<Self>(
    "Water",
    [
      .option(
        "temperature", \.celsius, short: "t", value: "N",
        help: "How hot the water is, in degrees Celsius."),
      .toggle("filter", \.isFiltered, help: "Whether to filter the water first."),
    ])
}

struct Brew: Command, Equatable {
  static let info = CommandInfo(
    "brew", "Make a cup, or several.",
    discussion: """
      Without a recipe the leaf alone decides. A recipe's own settings give way to the options, \
      which give way to nothing.
      """,
    examples: [
      Example("kettle brew --leaf green -t 80 mine.txt", "Brew by a recipe, with cooler water."),
      Example("kettle brew --guest \"Ann's aunt\"", "Brew a cup for somebody."),
    ])

  var leaf = Leaf.black
  var second: Leaf?
  var minutes: Double?
  var guests: [String] = []
  var seed = "-"
  var water = WaterOptions()
  var log = true
  var isQuiet = false
  var recipes: [String] = []

  static let groups: [OptionGroup<Self>] = [
    OptionGroup(
      "Tea",
      [
        .arguments("recipe", \.recipes, help: "Recipes to follow, in order.", completion: .file),
        .option(
          "leaf", \.leaf, short: "l", help: "The leaf to use.", environment: "KETTLE_LEAF"),
        .option("second-leaf", \.second, value: "LEAF", help: "A leaf to blend it with."),
        .option("minutes", \.minutes, short: "m", value: "N", help: "How long to wait."),
        .option("guest", \.guests, value: "NAME", help: "Who drinks: it's their [own] cup."),
        .option("seed", \.seed, value: "FILE|-", help: "Where to read.", completion: .file),
      ]),
    WaterOptions.group.inside(\.water),
    OptionGroup(
      "Telling",
      [
        .flag("no-log", \.log, sets: false, help: "Leave no trace."),
        .flag("quiet", \.isQuiet, short: "q", help: "Say nothing."),
      ]),
  ]
}

struct Recipes: Command {
  static let info = CommandInfo(
    "recipes", "Look into the book of recipes.",
    subcommands: [RecipesList.self, RecipesShow.self])
}

struct RecipesList: Command, Equatable {
  static let info = CommandInfo("list", "List all recipes.")

  var limit: Int?
  var water = WaterOptions()

  static let groups: [OptionGroup<Self>] = [
    OptionGroup("Choosing", [.option("limit", \.limit, value: "N", help: "How many at most.")]),
    WaterOptions.group.inside(\.water),
  ]
}

struct RecipesShow: Command, Equatable {
  static let info = CommandInfo("show", "Show one recipe.")

  var name = ""
  var style: String?

  static let groups: [OptionGroup<Self>] = [
    OptionGroup(
      "Choosing",
      [
        .arguments("name", \.name, help: "The recipe's name.", isRequired: true),
        .arguments("style", \.style, help: "The kitchen it comes from."),
      ])
  ]
}

struct Check: Command, Equatable {
  static let info = CommandInfo("check", "Check that a folder holds good recipes.")

  var strictness: Int?
  var folder = ""

  static let groups: [OptionGroup<Self>] = [
    OptionGroup(
      "What",
      [
        .option(
          "strictness", \.strictness, value: "N", help: "How strict to be.", isRequired: true),
        .arguments(
          "folder", \.folder, help: "The folder.", isRequired: true, completion: .folder),
      ])
  ]
}
