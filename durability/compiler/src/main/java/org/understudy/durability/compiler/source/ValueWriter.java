package org.understudy.durability.compiler.source;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.understudy.durability.compiler.classes.ClassPath;
import org.understudy.durability.compiler.classes.Operation;
import org.understudy.durability.compiler.classes.Types;
import org.understudy.durability.mapping.Expression;
import org.understudy.soap.xml.NameSuggestion;

/** Writes values and calls of a mapping as Java. An {@link IllegalArgumentException} reports what does not fit in one sentence. */
final class ValueWriter {
  private static final Set<Class<?>> OPTIONALS = Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

  private final ClassPath classPath;
  private final String homePackage;
  /** The method whose arguments are meant; null in a recovery and an initialization. */
  private final Operation method;
  private final List<String> names;
  private final String returned;
  private final String row;
  private boolean throwsChecked;
  /** The types as which columns of the row are read, by their indexes. */
  private final TreeMap<Integer, Class<?>> columns = new TreeMap<>();

  /**
   * @param homePackage where classes with simple names are found: that of the state object's interface
   * @param names of the parameters in the generated method
   * @param returned the variable with what the method returned
   * @param row the variable with the row of a query
   */
  ValueWriter(ClassPath classPath, String homePackage, Operation method, List<String> names, String returned, String row) {
    this.classPath = classPath;
    this.homePackage = homePackage;
    this.method = method;
    this.names = names;
    this.returned = returned;
    this.row = row;
  }

  /** A value, and the values on the way to it that may be null; then it is null too. */
  private record Value(CodeBlock code, Type type, List<CodeBlock> nulls) {
    boolean isReference() {
      return !Types.raw(type).isPrimitive();
    }

    CodeBlock orNull(CodeBlock converted) {
      CodeBlock missing = nulls.stream().map(each -> CodeBlock.of("$L == null", each)).collect(CodeBlock.joining(" || "));
      return nulls.isEmpty() ? converted : CodeBlock.of("$L ? null : $L", missing, converted);
    }
  }

  /** Whether what was written so far may throw a checked exception. Only values of a recovery do. */
  boolean throwsChecked() {
    return throwsChecked;
  }

  /** The types as which what was written reads the columns of the row, in order; {@code Object} for one that is not read. */
  List<Class<?>> columns() {
    List<Class<?>> types = new ArrayList<>();
    for (int i = 0; !columns.isEmpty() && i <= columns.lastKey(); i++) {
      types.add(columns.getOrDefault(i, Object.class));
    }
    return types;
  }

  /** An argument of a statement. */
  CodeBlock forStatement(Expression expression) {
    Value value = read(expression);
    if (isOptional(value)) {
      value = content(value);
    }
    if (!SqlTypes.isColumn(value.type())) {
      throw new IllegalArgumentException(text(expression) + " is a " + Types.raw(value.type()).getSimpleName()
          + ", which no column can hold. Use a property of it: " + text(expression) + ".property.");
    }
    if (SqlTypes.isPlain(value.type())) {
      return value.orNull(value.code());
    }
    List<CodeBlock> nulls = new ArrayList<>(value.nulls());
    if (value.isReference()) {
      nulls.add(value.code());
    }
    return new Value(value.code(), value.type(), nulls).orNull(SqlTypes.toColumn(value.code(), value.type()));
  }

  /** The condition that a value is true, or present if it is not a boolean. */
  CodeBlock condition(Expression expression) {
    Value value = read(expression);
    List<CodeBlock> parts = new ArrayList<>();
    value.nulls().forEach(each -> parts.add(CodeBlock.of("$L != null", each)));
    Class<?> type = Types.raw(value.type());
    if (type == boolean.class) {
      parts.add(value.code());
    } else if (type == Boolean.class) {
      parts.add(CodeBlock.of("$T.TRUE.equals($L)", Boolean.class, value.code()));
    } else if (OPTIONALS.contains(type)) {
      parts.add(CodeBlock.of("$L.isPresent()", value.code()));
    } else if (type.isPrimitive()) {
      throw new IllegalArgumentException(
          "The attribute when names a " + type.getName() + ". It must be a boolean, or an object that can be null.");
    } else {
      parts.add(CodeBlock.of("$L != null", value.code()));
    }
    return CodeBlock.join(parts, " && ");
  }

  private Value read(Expression expression) {
    if (expression instanceof Expression.Argument argument) {
      if (method == null || argument.index() >= names.size()) {
        throw new IllegalArgumentException("arg[" + argument.index() + "] does not exist: "
            + (method == null ? "there is no update here." : method.name() + " has " + names.size() + " parameters, from arg[0]."));
      }
      Value value =
          new Value(CodeBlock.of("$N", names.get(argument.index())), method.parameters().get(argument.index()), List.of());
      return properties(value, argument.properties());
    } else if (expression instanceof Expression.Returned result) {
      if (method == null || method.isVoid()) {
        throw new IllegalArgumentException((method == null ? "There is no update here" : method.name() + " returns nothing")
            + ", so \"returned\" has no value.");
      }
      return properties(new Value(CodeBlock.of("$N", returned), method.returned(), List.of()), result.properties());
    } else if (expression instanceof Expression.Literal literal && literal.value() != null) {
      return new Value(literal(literal.value()), literal.value().getClass(), List.of());
    }
    throw new IllegalArgumentException(text(expression) + " cannot stand here.");
  }

  private static CodeBlock literal(Object value) {
    if (value instanceof Long number) {
      return number == number.intValue() ? CodeBlock.of("$L", number) : CodeBlock.of("$LL", number);
    }
    return value instanceof String text ? CodeBlock.of("$S", text) : CodeBlock.of("$L", value);
  }

  private static Value properties(Value start, List<String> properties) {
    Value value = start;
    for (String property : properties) {
      value = property(value, property);
    }
    return value;
  }

  private static boolean isOptional(Value value) {
    return Types.raw(value.type()) == Optional.class && value.type() instanceof ParameterizedType;
  }

  /** What an optional value contains, or null. */
  private static Value content(Value optional) {
    Type content = ((ParameterizedType) optional.type()).getActualTypeArguments()[0];
    return new Value(CodeBlock.of("$L.orElse(null)", optional.code()), content, optional.nulls());
  }

  private static Value property(Value base, String name) {
    Class<?> type = Types.raw(base.type());
    if (isOptional(base)) {
      return property(content(base), name);
    }
    if (type.isPrimitive()) {
      throw new IllegalArgumentException("A " + type.getName() + " has no property " + name + ".");
    }
    List<CodeBlock> nulls = new ArrayList<>(base.nulls());
    nulls.add(base.code());
    String capital = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    for (String accessor : List.of(name, "get" + capital, "is" + capital)) {
      for (Method method : Types.methods(type)) {
        if (method.getName().equals(accessor) && method.getParameterCount() == 0 && method.getReturnType() != void.class) {
          Types.checked(method).ifPresent(thrown -> {
            throw new IllegalArgumentException("The property " + name + " of " + type.getSimpleName() + " declares the checked exception "
                + thrown.getSimpleName() + ". Use another one.");
          });
          return new Value(
              CodeBlock.of("$L.$L()", base.code(), accessor),
              Types.in(base.type(), method.getDeclaringClass(), method.getGenericReturnType()), nulls);
        }
      }
    }
    for (Field field : type.getFields()) {
      if (field.getName().equals(name) && !Modifier.isStatic(field.getModifiers())) {
        return new Value(
            CodeBlock.of("$L.$L", base.code(), name), Types.in(base.type(), field.getDeclaringClass(), field.getGenericType()), nulls);
      }
    }
    TreeSet<String> known = Arrays.stream(type.getMethods())
        .filter(method -> method.getParameterCount() == 0 && method.getDeclaringClass() != Object.class)
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
    throw new IllegalArgumentException(type.getSimpleName() + " has no property " + name + ": neither " + name + "() nor get" + capital
        + "() nor a public field" + NameSuggestion.of(name, known));
  }

  /** What a call resolves to. */
  record Invocation(Method method, CodeBlock arguments) {}

  /** The method that a call of a mapping means, and its arguments. */
  Invocation call(Class<?> type, String name, List<Expression> arguments) {
    List<Method> named = Types.methods(type).stream().filter(each -> each.getName().equals(name)).toList();
    if (named.isEmpty()) {
      TreeSet<String> names = Arrays.stream(type.getMethods()).map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
      throw new IllegalArgumentException(type.getSimpleName() + " has no public method " + name + NameSuggestion.of(name, names));
    }
    Method chosen = choose(name, named, arguments, type);
    return new Invocation(chosen, arguments(arguments, types(chosen, type)));
  }

  private <E extends Executable> E choose(String name, List<E> candidates, List<Expression> arguments, Class<?> type) {
    List<E> sized = candidates.stream().filter(each -> each.getParameterCount() == arguments.size()).toList();
    if (sized.isEmpty()) {
      throw new IllegalArgumentException(name + " is called with " + arguments.size() + " arguments and takes "
          + candidates.stream().map(each -> "" + each.getParameterCount()).distinct().sorted().collect(Collectors.joining(" or ")) + ".");
    }
    List<E> fitting = new ArrayList<>();
    IllegalArgumentException reason = null;
    for (E candidate : sized) {
      try {
        arguments(arguments, types(candidate, type));
        fitting.add(candidate);
      } catch (IllegalArgumentException e) {
        reason = e;
      }
    }
    if (fitting.isEmpty()) {
      throw reason;
    }
    if (fitting.size() > 1) {
      throw new IllegalArgumentException(name + " is ambiguous: several methods take these arguments.");
    }
    return fitting.get(0);
  }

  private static List<Type> types(Executable method, Class<?> type) {
    return Arrays.stream(method.getGenericParameterTypes())
        .map(each -> Types.in(type, method.getDeclaringClass(), each))
        .toList();
  }

  private CodeBlock arguments(List<Expression> arguments, List<Type> types) {
    List<CodeBlock> written = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      written.add(as(arguments.get(i), types.get(i)));
    }
    return CodeBlock.join(written, ", ");
  }

  /** A value where a type is declared. */
  private CodeBlock as(Expression expression, Type target) {
    Class<?> type = Types.raw(target);
    if (expression instanceof Expression.Column column) {
      if (row == null) {
        throw new IllegalArgumentException("row[…] stands in recoveries only.");
      }
      if (type != Object.class && !SqlTypes.isColumn(target)) {
        throw new IllegalArgumentException(text(expression) + " is passed where a " + type.getSimpleName()
            + " is declared, which no column holds. Make one: new " + type.getSimpleName() + "(row[0], …).");
      }
      // The last one counts: several methods may be tried before.
      columns.put(column.index(), type);
      return SqlTypes.fromColumn(CodeBlock.of("$N[$L]", row, column.index()), target);
    } else if (expression instanceof Expression.New object) {
      return created(object, type);
    } else if (expression instanceof Expression.Literal literal) {
      return literal(literal, type);
    }
    Value value = read(expression);
    if (!Types.isAssignable(value.type(), target)) {
      throw new IllegalArgumentException(
          text(expression) + " is a " + Types.raw(value.type()).getSimpleName() + ", not a " + type.getSimpleName() + ".");
    }
    return type.isPrimitive() ? value.code() : value.orNull(value.code());
  }

  private CodeBlock created(Expression.New object, Class<?> target) {
    Class<?> type = type(object.type(), target);
    if (!target.isAssignableFrom(type)) {
      throw new IllegalArgumentException("A " + type.getSimpleName() + " is not a " + target.getSimpleName() + ".");
    }
    List<Constructor<?>> constructors = List.of(type.getConstructors());
    if (constructors.isEmpty() || Modifier.isAbstract(type.getModifiers())) {
      throw new IllegalArgumentException(type.getSimpleName() + " has no public constructor, or is abstract.");
    }
    Constructor<?> chosen = choose("The constructor of " + type.getSimpleName(), constructors, object.arguments(), type);
    Types.checked(chosen).ifPresent(thrown -> {
      if (row == null) {
        throw new IllegalArgumentException("The constructor of " + type.getSimpleName() + " declares the checked exception "
            + thrown.getSimpleName() + ". Use another one.");
      }
      throwsChecked = true;
    });
    return CodeBlock.of("new $T($L)", TypeName.get(type), arguments(object.arguments(), types(chosen, type)));
  }

  /** By the declared type, by the full name, or by the package of the interface. */
  private Class<?> type(String name, Class<?> target) {
    if (name.equals(target.getSimpleName()) || name.equals(target.getCanonicalName())) {
      return target;
    }
    return classPath.find(name)
        .or(() -> classPath.find(homePackage + "." + name))
        .orElseThrow(() -> new IllegalArgumentException("The class " + name + " is not on the class path. Write its full name."));
  }

  private static CodeBlock literal(Expression.Literal literal, Class<?> type) {
    Object value = literal.value();
    Class<?> box = Types.boxed(type);
    if (value == null && !type.isPrimitive()) {
      // Else it could be the only one of a variable number of arguments.
      return type.isArray() ? CodeBlock.of("($T) null", type) : CodeBlock.of("null");
    } else if (value instanceof Long number && box == Long.class) {
      return CodeBlock.of("$LL", number);
    } else if (value instanceof Long number && box == Integer.class && number == number.intValue()) {
      return CodeBlock.of("$L", number);
    } else if (value instanceof Long number && (box == Short.class && number == number.shortValue()
        || box == Byte.class && number == number.byteValue())) {
      return CodeBlock.of("($T) $L", type.isPrimitive() ? type : primitive(box), number);
    } else if (value instanceof Long number && (box == Double.class || box == Float.class)) {
      return CodeBlock.of(box == Double.class ? "$LD" : "$LF", number);
    } else if (value instanceof Boolean && box == Boolean.class) {
      return CodeBlock.of("$L", value);
    } else if (value instanceof String text && box == Character.class && text.length() == 1) {
      return character(text.charAt(0));
    } else if (value instanceof String text && type.isAssignableFrom(String.class)) {
      return CodeBlock.of("$S", text);
    } else if (value instanceof String text && type.isEnum()
        && Arrays.stream(type.getFields()).anyMatch(each -> each.isEnumConstant() && each.getName().equals(text))) {
      return CodeBlock.of("$T.$L", type, text);
    }
    throw new IllegalArgumentException(text(literal) + " is not a " + type.getSimpleName() + ".");
  }

  /** A character as Java. */
  static CodeBlock character(char value) {
    return Character.isLetterOrDigit(value) ? CodeBlock.of("'$L'", value) : CodeBlock.of("(char) $L", (int) value);
  }

  private static Class<?> primitive(Class<?> box) {
    return box == Short.class ? short.class : byte.class;
  }

  private static String text(Expression expression) {
    if (expression instanceof Expression.Argument argument) {
      return "arg[" + argument.index() + "]" + joined(argument.properties());
    } else if (expression instanceof Expression.Returned result) {
      return "returned" + joined(result.properties());
    } else if (expression instanceof Expression.Column column) {
      return "row[" + column.index() + "]";
    } else if (expression instanceof Expression.New object) {
      return "new " + object.type() + "(…)";
    }
    Object value = ((Expression.Literal) expression).value();
    return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
  }

  private static String joined(List<String> properties) {
    return properties.stream().map(each -> "." + each).collect(Collectors.joining());
  }
}
