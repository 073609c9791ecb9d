import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

extension StudioPageTests {
  @Suite("Looks and access of the studio's page")
  struct StudioLooks {
    private static let files = ["scenarios/bread.json5": StudioPageTests.scenario]

    private func style(_ selector: String, _ part: String, _ property: String) -> String {
      "getComputedStyle(document.querySelector('\(selector)'), '\(part)').\(property)"
    }

    @Test("tell errors and warnings apart by more than color")
    func severity() throws {
      let text = StudioPageTests.scenario.replacing("badge: 1", with: "badge: '1', category: 5")
      try withOpenStudio(width: 1280, files: ["scenarios/bread.json5": text]) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.browser.wait(until: "document.querySelector('#problems .error')")
        for place in ["#problems .error", "#wrong-badge .error"] {
          let mark = try studio.browser.value(style(place, "::before", "content")).string
          #expect(mark?.contains("✕") == true, "\(place): \(mark ?? "")")
        }
        let lines = try ["error", "warning"].map { kind in
          try studio.browser.value(
            """
            (() => {
              const mark = document.createElement('span');
              mark.className = 'mark-\(kind)';
              document.querySelector('#layer').append(mark);
              return getComputedStyle(mark).textDecorationStyle;
            })()
            """)
        }
        #expect(lines[0] != lines[1])
      }
    }

    @Test("say in the text how the keyboard leaves it, and lead to a key that was added")
    func keyboard() throws {
      try withOpenStudio(width: 1280, files: Self.files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        let visible = style("#leave", "", "visibility")
        #expect(try studio.browser.value(visible) == "hidden")
        try studio.browser.click("#text")
        #expect(try studio.browser.value(visible) == "visible")
        try studio.fill("form.field input", with: "order")
        try studio.press("Add", in: ".group")
        try studio.browser.wait(until: "document.activeElement.id === 'field-own-order'")
        try studio.browser.run(
          "const minus = document.querySelector('button[data-field=own-order]'); minus.focus(); minus.click()"
        )
        try studio.browser.wait(until: "document.activeElement.id === 'new-key'")
        // A button that goes away when it is pressed leaves the focus in its place.
        try studio.pressSend()
        try studio.wait(for: "accepted 200", in: "#answer")
        try studio.browser.run(
          """
          const again = [...document.querySelectorAll('#answer button')].find((one) => one.textContent === 'Again');
          again.focus();
          again.click();
          """)
        try studio.browser.wait(
          until: "document.querySelector('#answer .row').parentElement === document.activeElement")
      }
    }

    @Test("have headings without a gap, and states that are true or false")
    func structure() throws {
      try withOpenStudio(width: 1280, files: Self.files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.wait(for: "Old", in: ".phone .title")
        let levels =
          try studio.browser.value(
            """
            [...document.querySelectorAll('h1, h2, h3, h4')].filter((one) => one.checkVisibility())
              .map((one) => Number(one.tagName[1]))
            """
          ).array?.compactMap(\.int) ?? []
        #expect(levels.first == 1 && levels.contains(3))
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }, "\(levels)")
        let odd = try studio.browser.value(
          """
          [...document.querySelectorAll('[aria-pressed], [aria-expanded]')].map((one) =>
            one.getAttribute('aria-pressed') ?? one.getAttribute('aria-expanded'))
            .filter((state) => !['true', 'false'].includes(state))
          """)
        #expect(odd == [])
      }
    }

    @Test("show a list as a table, without whole tokens")
    func table() throws {
      let list = "token,name\n\(StudioPageTests.token),\"Ann, \"\"A\"\"\"\n"
      try withOpenStudio(width: 1280, files: ["lists/vip.csv": list]) { studio, _ in
        try studio.choose("lists/vip.csv")
        try studio.wait(for: "Ann", in: "#form")
        let cells = try studio.browser.value(
          "[...document.querySelectorAll('#form :is(th, td)')].map((cell) => cell.textContent)")
        #expect(cells == ["token", "name", "…0a1b2c3d", "Ann, \"A\""])
      }
    }

    @Test("tell the reasons of a mixed list in a table")
    func reasons() throws {
      let script = """
        {rules: [{answer: {reason: "Unregistered"}, times: 2}, {answer: {reason: "BadDeviceToken"}, times: 1}]}
        """
      let files = [
        "scenarios/bread.json5": StudioPageTests.scenario
          .replacing("\"emulator\"", with: "{ emulator: { script: \"../day.json5\" } }")
          .replacing("[\"\(StudioPageTests.token)\"]", with: "[\"../lists/many.txt\"]"),
        "day.json5": script, "lists/many.txt": tokenList(4),
      ]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.pressSend()
        try studio.wait(for: "1 of 4 pushes accepted", in: "#answer")
        try studio.browser.wait(until: "document.querySelectorAll('.outcomes dt').length === 2")
        let told = try studio.browser.value("document.querySelector('.outcomes').textContent")
          .string
        #expect(
          told?.contains("Unregistered2") == true && told?.contains(";") == false, "\(told ?? "")")
      }
    }

    @Test("keep a hint's panel in its place, whatever it says", arguments: [375, 1280])
    func hints(width: Int) throws {
      try withOpenStudio(width: width, files: Self.files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.part("form")
        try studio.browser.wait(until: "document.querySelector('#field-body') !== null")
        let top = "document.querySelector('#help').getBoundingClientRect().top"
        let before = try studio.browser.value(top)
        try studio.browser.click("#field-body")
        try studio.wait(for: "aps.alert.body", in: "#help")
        #expect(try studio.browser.value(top) == before)
      }
    }

    @Test("name Where and As at 375 pixels, and leave Send in sight of the recipients")
    func narrow() throws {
      try withOpenStudio(width: 375, files: Self.files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        let heights = try studio.browser.value(
          """
          [...document.querySelectorAll('label.pick .soft')]
            .map((label) => label.getBoundingClientRect().height > 9)
          """)
        #expect(heights == [true, true])
        try studio.browser.click("#to")
        try studio.wait(for: "Broadcast channel", in: "#recipients")
        #expect(
          try studio.browser.value(
            """
            document.querySelector('#recipients').getBoundingClientRect().top
              >= document.querySelector('#send').getBoundingClientRect().bottom
            """) == true)
      }
    }

    @Test("leave the form whole at 200 %, where its pane scrolls")
    func zoomed() throws {
      try withOpenStudio(width: 640, files: Self.files) { studio, _ in
        try studio.browser.show(width: 640, height: 400, scheme: "light")
        try studio.browser.click("nav button[data-view=files]")
        try studio.browser.click("[data-path='scenarios/bread.json5']")
        try studio.browser.wait(until: "document.querySelector('#field-body') !== null")
        let facts = try studio.browser.value(
          """
          (() => {
            const [form, pane] = ['#form', '[data-pane=edit]'].map((one) => document.querySelector(one));
            return [form.scrollHeight === form.clientHeight, pane.clientHeight > 250,
              pane.scrollHeight > pane.clientHeight];
          })()
          """)
        #expect(facts == [true, true, true])
      }
    }
  }
}
