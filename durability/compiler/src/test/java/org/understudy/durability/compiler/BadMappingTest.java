package org.understudy.durability.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.durability.mapping.MappingException;

/** Each mistake in a mapping is reported by file, line and element, with what to write instead. */
class BadMappingTest {
  @TempDir private Path directory;

  private String problems(String text) throws Exception {
    Path file = directory.resolve("shop.xml");
    Files.writeString(file, text);
    return assertThrows(MappingException.class, () -> DurabilityCompiler.compile(file, GeneratedShop.classPath())).getMessage();
  }

  private static String mapping(String name) throws Exception {
    return Files.readString(GeneratedShop.mapping(name));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      // A method that does not exist.
      "<read method=\"count\"/> | <read method=\"cuont\"/> | <read method=\"cuont\">: Stock has no method cuont; did you mean count?",
      "<read method=\"count\"/> | <read method=\"xyz\"/> | <read method=\"xyz\">: Stock has no method xyz.",
      // A method that is not listed.
      "<read method=\"count\"/> | <!-- --> | <object name=\"stock\">: The method count(String) of Stock is not listed. List it as <read>",
      "parameters=\"Item\" | parameters=\"Ite\" | No method has these parameters. There are: add(Item), add(String, int).",
      "method=\"add\" parameters=\"Item\" | method=\"add\" | Several methods have this name: add(Item), add(String, int). Add the",
      "parameters=\"Item\" | parameters=\"java.lang.String,int\" | The method add(String, int) is listed twice. The other one is in line",
      // Unknown classes.
      "shop.Stock\" | shop.Stokc\" | The interface org.understudy.durability.compiler.shop.Stokc is not on the class path. Compile it",
      "shop.StockState | shop.Gone | The class org.understudy.durability.compiler.shop.Gone is not on the class path.",
      "shop.StockState | shop.LedgerState | LedgerState does not implement org.understudy.durability.compiler.shop.Stock.",
      "shop.Stock\" | shop.StockState\" | StockState is not an interface.",
      "service=\"org.understudy.durability.compiler.shop.Shop\" | service=\"shop.Shop\" | The service shop.Shop is not on the class path.",
      "shop.Declined | shop.Gone | The exception org.understudy.durability.compiler.shop.Gone is not on the class path.",
      "shop.Declined | shop.Item | org.understudy.durability.compiler.shop.Item is not an exception.",
      "<operation name=\"list\" | <operation name=\"lsit\" | <operation name=\"lsit\">: Shop has no operation lsit; did you mean list?",
      "<operation name=\"list\" kind=\"read\" | <operation name=\"look\" kind=\"update\" | The operation is marked @Read in",
      // State classes that cannot be made.
      "shop.VisitorSet | shop.Locked.Abstract | is abstract or an inner class, so no object can be made.",
      "shop.VisitorSet | shop.Locked.NoConstructor | NoConstructor has no public constructor without parameters. Replicas make empty",
  })
  void aMappingThatDoesNotFitTheClasses(String good, String bad, String message) throws Exception {
    String text = mapping("replication");
    assertTrue(text.contains(good), good);
    String problems = problems(text.replace(good, bad));
    assertTrue(problems.startsWith("shop.xml:"), problems);
    assertTrue(problems.contains(message), problems);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "arg[0].kind); | arg[1].kind); | <update method=\"add\">: arg[1] does not exist: add has 1 parameters, from arg[0].",
      "arg[0].kind); | arg[0].kin); | Item has no property kin: neither kin() nor getKin() nor a public field; did you mean kind?",
      "arg[0].kind); | arg[0]); | arg[0] is a Item, which no column can hold. Use a property of it: arg[0].property.",
      "arg[0].count + | arg[0].count.x + | A int has no property x.",
      "when=\"returned\" | when=\"arg[7]\" | arg[7] does not exist: remove has 1 parameters, from arg[0].",
      "amount - arg[1] | amount - returned | take returns nothing, so \"returned\" has no value.",
      "add(new Item(row[0], row[1], row[2])) | add(new Item(row[0], row[1])) | Item is called with 2 arguments and takes 3.",
      "add(new Item(row[0], row[1], row[2])) | add(new Itme(row[0], row[1], row[2])) | The class Itme is not on the class path.",
      "add(new Item(row[0], row[1], row[2])) | add(row[0]) | row[0] is passed where a Item is declared, which no column holds.",
      "add(new Item(row[0], row[1], row[2])) | ad(row[0]) | Stock has no public method ad; did you mean add?",
      "add(new Item(row[0], row[1], row[2])) | add('x', 'y') | \"y\" is not a int.",
      "add(new Item(row[0], row[1], row[2])) | add(new Item('x', 1, 'WARM')) | \"WARM\" is not a Kind.",
      "add(new Item(row[0], row[1], row[2])) | add(row[0], row[3]) | row[3] does not exist: the query has 3 columns, from row[0].",
      "UPDATE items SET amount = amount - | UPDTE items SET amount = amount - | The statement begins with \"UPDTE\"; did you mean UPDATE?",
  })
  void statementsThatDoNotFitTheMethods(String good, String bad, String message) throws Exception {
    String text = mapping("database");
    assertTrue(text.contains(good), good);
    String problems = problems(text.replace(good, bad));
    assertTrue(problems.contains(message), problems);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "INSERT INTO removed VALUES ( | INSERT INTO removed VALUS ( | <update method=\"remove\">: The statement cannot be parsed at \"(\"",
      "SET amount = amount - arg[1] WHERE | SET WHERE | The statement cannot be parsed at \"WHERE\"",
      "DELETE FROM items WHERE name = arg[0] | DELETE FROM items WHERE | The statement cannot be parsed at its end",
      "SELECT name, amount, kind FROM items | SELECT name, amount, kind FORM items x | The statement cannot be parsed at",
      "name VARCHAR(40) PRIMARY KEY, amount INT NOT NULL | name VARCHAR(40) PRIMARY KEY, amount | The statement cannot be parsed at",
      "parameters=\"Item\" dialect=\"own\" | parameters=\"Item\" | Correct it, or write dialect=\"own\" if the database understands it.",
      "parameters=\"Item\" dialect=\"own\" | parameters=\"Item\" dialect=\"h2\" | The attribute dialect is \"h2\". It is standard, or own",
  })
  void statementsThatDoNotParse(String good, String bad, String message) throws Exception {
    String text = mapping("database");
    assertTrue(text.contains(good), good);
    String problems = problems(text.replace(good, bad));
    assertTrue(problems.contains(message), problems);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "open('bread', 0) | open('bread') | open is called with 1 arguments and takes 2.",
      "open('bread', 0) | open(5, 0) | 5 is not a String.",
      "add(arg[0].name, arg[0].count) | add(arg[0].count, arg[0].name) | arg[0].count is a int, not a String.",
      "method=\"toBytes\" | method=\"bytes\" | StockState has no method public byte[] bytes(), which checkpoint or restore names.",
      "method=\"fromBytes\" | method=\"open\" | StockState has no method public void open(byte[]), which checkpoint or restore names.",
  })
  void callsThatDoNotFitTheMethods(String good, String bad, String message) throws Exception {
    String text = mapping("captured");
    assertTrue(text.contains(good), good);
    String problems = problems(text.replace(good, bad));
    assertTrue(problems.contains(message), problems);
  }

  private static String object(String service, String name, String type, String implementation) {
    return "<durability xmlns='urn:understudy:durability:1' service='org.understudy.durability.compiler.shop." + service + "'"
        + " generated='other.Generated'><object name='" + name + "' interface='" + type + "' class='" + implementation + "'>"
        + "<reconstruction><read method='name'/><read method='count'/><update method='came'/></reconstruction></object></durability>";
  }

  @Test
  void aServiceWithStateOfItsOwn() throws Exception {
    String shop = "org.understudy.durability.compiler.shop.";
    String problems = problems(object("Marked", "visitors", shop + "Visitors", shop + "VisitorSet"));
    assertTrue(problems.contains("The field count of " + shop + "Marked is marked @ReplicatedState."), problems);
    assertTrue(problems.contains("The field context of " + shop + "Marked is injected."), problems);
    assertTrue(problems.contains("The method reload() of " + shop + "Marked has the name of a method of the generated class."), problems);
  }

  @Test
  void aServiceThatDoesNotTakeTheObjects() throws Exception {
    String shop = "org.understudy.durability.compiler.shop.";
    String problems = problems(object("Shop", "visitors", shop + "Visitors", shop + "VisitorSet"));
    assertTrue(problems.contains("has no public constructor that takes the state objects by their interfaces, for example"
        + " Shop(Visitors visitors)."), problems);
    problems = problems(object("Counter", "visitors", shop + "Visitors", shop + "VisitorSet"));
    assertTrue(problems.contains("is marked neither @WebService nor @WebServiceProvider"), problems);
  }

  @Test
  void interfacesThatNothingCanProtect() throws Exception {
    String locked = "org.understudy.durability.compiler.shop.Locked.";
    String problems = problems(object("Shop", "clash", locked + "Clash", locked + "ClashState"));
    assertTrue(problems.contains("The method name() of Clash has the name of a method of durability proxies. Rename it."), problems);
    problems = problems(object("Shop", "generic", locked + "Generic", locked + "ClashState"));
    assertTrue(problems.contains("Generic has type parameters."), problems);
    problems = problems(object("Shop", "hidden", "org.understudy.durability.compiler.shop.Visitors", locked + "Hidden"));
    assertTrue(problems.contains("is not public, and the generated class is in another package: other."), problems);
  }

  @Test
  void allProblemsAreReportedInTheOrderOfTheFile() throws Exception {
    String text = mapping("replication")
        .replace("<read method=\"count\"/>", "<read method=\"cuont\"/>")
        .replace("<update method=\"take\">", "<update method=\"tkae\">");
    List<Integer> lines = problems(text).lines().map(line -> Integer.valueOf(line.split(":")[1])).toList();
    assertTrue(lines.size() > 3, lines.toString());
    assertEquals(lines.stream().sorted().toList(), lines);
  }

  @Test
  void theClassPathWithoutAClassThatTheServiceNeeds() throws Exception {
    String forms = "org.understudy.durability.compiler.forms.";
    Path file = directory.resolve("forms.xml");
    Files.writeString(file, object("Forms", "entries", forms + "Entries", forms + "EntriesState").replace(".shop.", ".forms."));
    List<Path> classes = GeneratedShop.classPath().stream().filter(each -> !each.toString().contains("replication")).toList();
    MappingException refused = assertThrows(MappingException.class, () -> DurabilityCompiler.compile(file, classes));
    assertTrue(refused.getMessage().contains("org/understudy/replication/api/"), refused.getMessage());
    assertTrue(refused.getMessage().startsWith("forms.xml:1:1: <durability service="), refused.getMessage());
  }

  @Test
  void theClassPathWithoutJaxWs() throws Exception {
    Path file = directory.resolve("shop.xml");
    Files.writeString(file, mapping("replication"));
    List<Path> classes = GeneratedShop.classPath().stream().filter(each -> Files.isDirectory(each)).toList();
    MappingException refused = assertThrows(MappingException.class, () -> DurabilityCompiler.compile(file, classes));
    assertTrue(refused.getMessage().startsWith("shop.xml:"), refused.getMessage());
  }
}
