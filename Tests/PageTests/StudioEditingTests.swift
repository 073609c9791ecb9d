import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

extension StudioPageTests {
  @Suite("Editing in the studio's page")
  struct StudioEditing {
    /// Edits in the words of `edit.js`, and what they make of a text.
    private static let edits: [(text: String, edit: String, result: String)] = [
      ("{ a: 1, /* b */ c: 2 }", "setValue(text, ['a'], 3, five)", "{ a: 3, /* b */ c: 2 }"),
      ("{\n  a: 1 // one\n}", "setValue(text, ['b'], 2, five)", "{\n  a: 1, // one\n  b: 2\n}"),
      ("{\n  a: 1,\n}", "setValue(text, ['b', 'c'], 2, five)", "{\n  a: 1,\n  b: { c: 2 },\n}"),
      ("{\"a\": {}}", "setValue(text, ['a', 'b'], 'x', json)", "{\"a\": {\"b\": \"x\"}}"),
      ("{\n  a: 1,\n  // b\n  b: 2,\n}", "removeValue(text, ['b'])", "{\n  a: 1,\n  // b\n}"),
      ("[1, 2 /* two */, 3]", "removeValue(text, [2])", "[1, 2 /* two */]"),
      ("{ 'x': 1 }", "renameKey(text, ['x'], 'y-z', five)", "{ \"y-z\": 1 }"),
      ("[ {a: 1}, /* and */ 2 ]", "swapItems(text, [], 0)", "[ 2, /* and */ {a: 1} ]"),
    ]

    @Test("leaves a payload alone that is outside of the folder, and says where it is")
    func foreignPayload() throws {
      let text = """
        {
          bundleID: "com.example.shop", environment: "emulator",
          notification: { type: "alert", payload: "../outside.json" },
        }

        """
      try withOpenStudio(width: 1280, files: ["hello.json5": text]) { studio, _ in
        try studio.fanfare.folder.write("outside.json", #"{"aps": {"alert": "Ready"}}"#)
        try studio.choose("hello.json5")
        try studio.part("form")
        try studio.wait(for: "../outside.json, outside of this folder", in: "#foreign")
        try studio.browser.wait(until: "document.querySelector('#field-type') !== null")
        #expect(try studio.browser.value("document.querySelector('#field-title')") == JSON(.null))
        #expect(try studio.project.text("hello.json5") == text)
      }
    }

    @Test("changes a value and nothing around it")
    func edits() throws {
      try withOpenStudio(width: 1280) { studio, _ in
        for edit in Self.edits {
          let script = """
            const done = arguments[arguments.length - 1];
            const [five, json] = [{ isJSON5: true }, { isJSON5: false }];
            const text = \(JSON(.string(edit.text)).encodedString());
            import('/edit.js').then(({ setValue, removeValue, renameKey, swapItems }) =>
              done(\(edit.edit)), (error) => done(String(error)));
            """
          let words: JSON = ["script": JSON(.string(script)), "args": []]
          let result = try studio.browser.command("POST", "execute/async", words)
          #expect(result.string == edit.result, "\(edit.edit)")
        }
      }
    }

    @Test(
      "shows in the form what is typed into the text, and the other way around",
      arguments: [375, 1280])
    func oneTruth(width: Int) throws {
      let files = [
        "scenarios/bread.json5": StudioPageTests.scenario.replacing(
          "{ aps: { alert: { title: \"Old\", body: \"Body\" }, badge: 1 } }",
          with: "\"../payloads/bread.json\""),
        "payloads/bread.json": "{\n  \"aps\": {\"alert\": \"Body alone\"}\n}\n",
      ]
      try withOpenStudio(width: width, files: files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.part("form")
        try studio.wait(for: "in payloads/bread.json", in: "#form")
        try studio.fill("#field-title", with: "A title")
        try studio.wait(for: "aps.alert.title", in: "#help")
        try studio.waitUntilSaved()
        #expect(
          try studio.project.text("payloads/bread.json")
            == "{\n  \"aps\": {\"alert\": {\"title\": \"A title\", \"body\": \"Body alone\"}}\n}\n")
        try studio.part("text")
        try studio.press("bread.json5", in: "#sources")
        try studio.browser.wait(until: "document.querySelector('#text').value.includes('inline')")
        try studio.set(
          "#text",
          to: studio.project.text("scenarios/bread.json5")
            .replacing("type: \"alert\"", with: "type: \"alert\", priority: 5"))
        try studio.part("form")
        try studio.browser.wait(until: "document.querySelector('#field-priority').value === '5'")
        // Undone where it was typed.
        try studio.part("text")
        try studio.browser.click("#text")
        try studio.browser.run(
          """
          const options = { key: 'z', ctrlKey: true };
          document.activeElement.dispatchEvent(new KeyboardEvent('keydown', options));
          """
        )
        try studio.browser.wait(until: "document.querySelector('#field-priority').value === ''")
      }
    }

    @Test(
      "remembers To, Where and As in the studio, also at another port, and leaves none in the browser"
    )
    func memory() throws {
      let files = ["scenarios/bread.json5": StudioPageTests.scenario]
      try withOpenStudio(width: 1280, files: files) { studio, process in
        try studio.browser.run(
          "localStorage.setItem('fanfare options of x', '\(StudioPageTests.token)')")
        try studio.choose("scenarios/bread.json5")
        try studio.set("#env", to: "inbox")
        try studio.browser.click("#to")
        try studio.fill("#choose-to", with: StudioPageTests.token)
        try studio.wait(for: "--to=\(StudioPageTests.token)", in: "#command")
        try studio.browser.run(
          """
          import('/api.js').then(async ({ request }) => {
            while (!JSON.stringify((await request('')).memory).includes('\(StudioPageTests.token)')) {}
            window.isKept = true;
          });
          """)
        try studio.browser.wait(until: "window.isKept")
        let other = try StudioProcess(studio.fanfare)
        try studio.open(other.url)
        try studio.choose("scenarios/bread.json5")
        try studio.wait(for: "--env=inbox --to=\(StudioPageTests.token)", in: "#command")
        try studio.open(process.url)
        try studio.wait(for: "--to=\(StudioPageTests.token)", in: "#command")
        let stored = try studio.browser.value("JSON.stringify(localStorage)").string
        #expect(stored?.contains("0a1b2c3d") == false, "\(stored ?? "")")
        try other.end()
      }
    }

    @Test("shows in the text what cannot be seen, and what turns text around, in its place")
    func unseen() throws {
      let family = "\u{1F469}\u{200D}\u{1F467}"
      let title = "a\u{202E}gnp.exe\u{200B} \(family) i\u{200D}j \u{0645}\u{200C}\u{0647}"
      let text = StudioPageTests.scenario.replacing("Old", with: title)
      try withOpenStudio(width: 1280, files: ["scenarios/bread.json5": text]) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        let line =
          "[...document.querySelectorAll('#layer .code')]"
          + ".find((line) => line.textContent.includes('gnp.exe'))"
        try studio.browser.wait(until: "\(line) !== undefined")
        let told = try studio.browser.value(
          "[...\(line).querySelectorAll('[data-code]')].map(({ dataset }) => dataset.code)")
        #expect(told == ["U+202E", "U+200B", "U+200D"])
        // What stands in the file comes in its order.
        #expect(try studio.browser.value("\(line).textContent.includes('agnp.exe')") == true)
        let field = try studio.browser.value("document.querySelector('#text').value")
        #expect(field.string == text)
      }
    }

    @Test("keeps what is typed into a field of JSON, key by key, and where the caret is")
    func jsonField() throws {
      let text = StudioPageTests.scenario.replacing(
        "type: \"alert\"", with: "type: \"liveactivity\""
      )
      .replacing(
        "{ aps: { alert: { title: \"Old\", body: \"Body\" }, badge: 1 } }",
        with: #"{ aps: { event: "update", timestamp: 1, "content-state": { a: 1 } } }"#)
      try withOpenStudio(width: 1280, files: ["scenarios/bread.json5": text]) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.browser.wait(
          until: "document.querySelector('#field-content-state')?.value === '{ a: 1 }'")
        try studio.browser.run(
          """
          const field = document.querySelector('#field-content-state');
          field.focus();
          field.setSelectionRange(2, 2);
          """)
        // The page saves, checks and draws what was JSON before the last keys, which make it none.
        var count = 2
        for keys in ["b:", " \"x", ", y\"", " , "] {
          try studio.browser.type(keys)
          try studio.browser.wait(
            until:
              "!window.isUnderWay() && document.querySelector('#saved').textContent.startsWith('Saved')"
          )
          count += keys.count
          let place = "document.querySelector('#field-content-state').selectionStart"
          #expect(try studio.browser.value(place).int == count)
        }
        let value = try studio.browser.value("document.querySelector('#field-content-state').value")
        #expect(value == #"{ b: "x, y" , a: 1 }"#)
        try studio.waitUntilSaved()
        #expect(try studio.project.text("scenarios/bread.json5").contains(#"{ b: "x, y" , a: 1 }"#))
        // What is no JSON is said not to be in the file.
        try studio.browser.type("{")
        try studio.wait(for: "The file keeps what it had.", in: "#wrong-content-state")
        try studio.wait(for: "Saved, but for a field", in: "#saved")
      }
    }

    @Test("shows the beginning of a file of a mebibyte, without a long task of its own")
    func longText() throws {
      let row = #"      {"id": 1, "name": "A row", "note": "and some text"},\#n"#
      let rows = String(repeating: row, count: (1 << 20) / row.utf8.count - 10)
      let text =
        #"{"aps": {"event": "update", "timestamp": 1, "content-state": {"rows": [\#n"#
        + rows + "null]}}}\n"
      let files = ["long.json": text, "short.json": #"{"aps": {"alert": "Hi"}}"#]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.choose("short.json")
        try studio.browser.run(
          """
          window.longest = 0;
          new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
          }).observe({ type: 'longtask' });
          """)
        try studio.choose("long.json")
        try studio.wait(for: "too long to be changed here", in: "#form")
        try studio.browser.wait(until: "document.querySelector('#text').readOnly")
        // A number of characters, not of milliseconds: how fast this machine is says nothing.
        let shown = try #require(
          try studio.browser.value("document.querySelector('#text').value.length").int)
        #expect(shown < 10_000 && shown > 8000)
        #expect(
          try studio.browser.value("document.querySelectorAll('#layer .code').length").int ?? 0
            < 300)
        try studio.wait(for: "line ", in: "#problems")
        #expect(try studio.project.text("long.json") == text)
      }
    }

    @Test("adds a step, not a wait, behind a wait")
    func stepAfterWait() throws {
      let step = #"{notification: {payload: {aps: {alert: "Hi"}}}}"#
      let text = #"{bundleID: "a.b", environment: "emulator", steps: [\#(step), {wait: "1s"}]}"#
      try withOpenStudio(width: 1280, files: ["a.json5": text]) { studio, _ in
        try studio.choose("a.json5")
        try studio.press("wait 1s", in: ".steps")
        try studio.browser.wait(until: "document.querySelector('#field-wait')")
        try studio.press("+ Step", in: ".steps")
        try studio.wait(for: "2 step", in: ".steps")
        try studio.waitUntilSaved()
        #expect(try studio.project.text("a.json5").components(separatedBy: "wait").count == 2)
      }
    }

    @Test("takes no typing while no file is open")
    func nothingOpen() throws {
      try withOpenStudio(width: 1280) { studio, _ in
        try studio.wait(for: "There is no file yet.", in: "#files")
        try studio.browser.run("document.querySelector('#text').focus()")
        #expect(try studio.browser.value("document.activeElement.id") != "text")
      }
    }

    @Test("goes by keyboard: Tab indents, and after Escape leaves")
    func keyboard() throws {
      let files = ["scenarios/bread.json5": StudioPageTests.scenario]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.browser.run(
          "const text = document.querySelector('#text'); text.focus(); text.setSelectionRange(0, 0)"
        )
        try studio.browser.press(.tab)
        try studio.browser.wait(
          until: "document.querySelector('#text').value.startsWith('  // First')")
        try studio.browser.press(.escape, .tab)
        #expect(try studio.browser.value("document.activeElement.id") != "text")
      }
    }

    @Test("shows the names and texts of files as texts")
    func hostile() throws {
      let bad = "<img src=x onerror=alert(1)>"
      let files = [
        "scenarios/\(bad.replacing(" ", with: "_")).json5": StudioPageTests.scenario
          .replacing("Bread", with: bad).replacing("Old", with: bad)
      ]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.wait(for: bad, in: "#files")
        try studio.wait(for: bad, in: ".phone .title")
        #expect(try studio.browser.value("document.querySelectorAll('img').length") == 0)
      }
    }

    @Test(
      "is accessible: contrast, size, names",
      arguments: [
        (375, "light"), (375, "dark"), (800, "light"), (1280, "light"), (1280, "dark"),
      ])
    func accessible(width: Int, scheme: String) throws {
      let files = ["scenarios/bread.json5": StudioPageTests.scenario]
      try withOpenStudio(width: width, files: files) { studio, _ in
        try studio.browser.show(width: width, height: 800, scheme: scheme)
        try audit(studio, "files")
        try studio.choose("scenarios/bread.json5")
        try studio.part("text")
        try audit(studio, "text")
        try studio.part("form")
        try audit(studio, "form")
        try studio.browser.click("#to")
        try audit(studio, "recipients")
        try studio.pressSend()
        try studio.wait(for: "accepted 200", in: "#answer")
        try audit(studio, "answer")
        try studio.browser.click("#sides button[data-side=history]")
        try studio.wait(for: "Bread", in: "#history")
        try audit(studio, "history")
      }
    }

    private func audit(_ studio: OpenStudio, _ part: String) throws {
      #expect(try studio.browser.run(PageAudit.script) == [], "\(part)")
      let unnamed = try studio.browser.value(
        """
        [...document.querySelectorAll('button, input, select, textarea')].filter((element) =>
          element.checkVisibility() && !element.textContent.trim() && !element.labels?.length
          && !element.getAttribute('aria-label')).map((element) => element.outerHTML)
        """)
      #expect(unnamed == [], "\(part)")
    }
  }
}
