package org.understudy.notification.xpath;

import java.util.List;
import java.util.Map;
import org.jaxen.Context;
import org.jaxen.Function;
import org.jaxen.FunctionCallException;
import org.jaxen.FunctionContext;
import org.jaxen.UnresolvableException;
import org.jaxen.function.BooleanFunction;
import org.jaxen.function.CeilingFunction;
import org.jaxen.function.ConcatFunction;
import org.jaxen.function.ContainsFunction;
import org.jaxen.function.CountFunction;
import org.jaxen.function.FalseFunction;
import org.jaxen.function.FloorFunction;
import org.jaxen.function.IdFunction;
import org.jaxen.function.LangFunction;
import org.jaxen.function.LastFunction;
import org.jaxen.function.LocalNameFunction;
import org.jaxen.function.NameFunction;
import org.jaxen.function.NamespaceUriFunction;
import org.jaxen.function.NormalizeSpaceFunction;
import org.jaxen.function.NotFunction;
import org.jaxen.function.NumberFunction;
import org.jaxen.function.PositionFunction;
import org.jaxen.function.RoundFunction;
import org.jaxen.function.StartsWithFunction;
import org.jaxen.function.StringFunction;
import org.jaxen.function.StringLengthFunction;
import org.jaxen.function.SubstringAfterFunction;
import org.jaxen.function.SubstringBeforeFunction;
import org.jaxen.function.SubstringFunction;
import org.jaxen.function.SumFunction;
import org.jaxen.function.TranslateFunction;
import org.jaxen.function.TrueFunction;

/** The core function library (XPath 1.0, section 4) alone, with each call charged to the budget in advance. */
final class CoreFunctions implements FunctionContext {
  static final CoreFunctions INSTANCE = new CoreFunctions();

  private static final int ANY = Integer.MAX_VALUE;
  /** Jaxen's translate() costs this much more for each character. */
  private static final int TRANSLATE = 16;

  private record Entry(Function function, int leastArguments, int mostArguments) {}

  private static final Map<String, Entry> LIBRARY = Map.ofEntries(
      entry("boolean", new BooleanFunction(), 1, 1),
      entry("ceiling", new CeilingFunction(), 1, 1),
      entry("concat", new ConcatFunction(), 2, ANY),
      entry("contains", new ContainsFunction(), 2, 2),
      entry("count", new CountFunction(), 1, 1),
      entry("false", new FalseFunction(), 0, 0),
      entry("floor", new FloorFunction(), 1, 1),
      entry("id", new IdFunction(), 1, 1),
      entry("lang", new LangFunction(), 1, 1),
      entry("last", new LastFunction(), 0, 0),
      entry("local-name", new LocalNameFunction(), 0, 1),
      entry("name", new NameFunction(), 0, 1),
      entry("namespace-uri", new NamespaceUriFunction(), 0, 1),
      entry("normalize-space", new NormalizeSpaceFunction(), 0, 1),
      entry("not", new NotFunction(), 1, 1),
      entry("number", new NumberFunction(), 0, 1),
      entry("position", new PositionFunction(), 0, 0),
      entry("round", new RoundFunction(), 1, 1),
      entry("starts-with", new StartsWithFunction(), 2, 2),
      entry("string", new StringFunction(), 0, 1),
      entry("string-length", new StringLengthFunction(), 0, 1),
      entry("substring", new SubstringFunction(), 2, 3),
      entry("substring-after", new SubstringAfterFunction(), 2, 2),
      entry("substring-before", new SubstringBeforeFunction(), 2, 2),
      entry("sum", new SumFunction(), 1, 1),
      entry("translate", new TranslateFunction(), 3, 3),
      entry("true", new TrueFunction(), 0, 0));

  private CoreFunctions() {}

  private static Map.Entry<String, Entry> entry(String name, Function function, int least, int max) {
    return Map.entry(name, new Entry(function, least, max));
  }

  static boolean contains(String name) {
    return LIBRARY.containsKey(name);
  }

  static boolean takes(String name, int arguments) {
    Entry entry = LIBRARY.get(name);
    return arguments >= entry.leastArguments() && arguments <= entry.mostArguments();
  }

  @Override
  public Function getFunction(String namespace, String prefix, String name) throws UnresolvableException {
    Entry entry = namespace == null || namespace.isEmpty() ? LIBRARY.get(name) : null;
    if (entry == null) {
      throw new UnresolvableException("Unknown function " + name + "().");
    }
    return (context, arguments) -> call(name, entry.function(), context, arguments);
  }

  private static Object call(String name, Function function, Context context, List<?> arguments)
      throws FunctionCallException {
    Budget budget = ((TreeNavigator) context.getNavigator()).budget();
    long chars = 0;
    for (Object argument : arguments) {
      chars += argument instanceof String text ? text.length() : 0;
    }
    budget.chars(name.equals("translate") ? chars * TRANSLATE : chars);
    if (arguments.size() == 2 && (name.equals("contains") || name.startsWith("substring-"))) {
      // A search may compare every character of the one with every character of the other.
      long haystack = length(arguments.get(0), context);
      long needle = length(arguments.get(1), context);
      budget.chars(haystack * (1 + needle / TRANSLATE));
    }
    return function.call(context, arguments);
  }

  private static int length(Object argument, Context context) {
    return StringFunction.evaluate(argument, context.getNavigator()).length();
  }
}
