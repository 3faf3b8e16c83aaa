package org.understudy.durability.compiler.source;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Modifier;
import org.understudy.durability.compiler.classes.ClassPath;
import org.understudy.durability.compiler.classes.ObjectClasses;
import org.understudy.durability.compiler.classes.Operation;
import org.understudy.durability.compiler.classes.Problems;
import org.understudy.durability.compiler.classes.Types;
import org.understudy.durability.mapping.Call;
import org.understudy.durability.mapping.MethodRule;
import org.understudy.durability.mapping.Place;
import org.understudy.durability.mapping.Query;
import org.understudy.durability.mapping.SqlStatement;
import org.understudy.durability.mapping.StateObject;
import org.understudy.durability.mapping.StateUpdate;

/** Writes the proxy of one state object. */
final class ProxyWriter {
  private static final String PROXIES = "org.understudy.durability.proxy";
  static final ClassName DATABASE = ClassName.get(PROXIES, "SqlDatabase");
  private static final ClassName ACTION = ClassName.get(PROXIES, "SqlAction");
  private static final WildcardTypeName ANY = WildcardTypeName.subtypeOf(Object.class);
  private static final ClassName CALL = ClassName.get(PROXIES, "Call");
  /** Longer texts are split. */
  private static final int MAX_LINE = 90;
  private static final ClassName CAPTURE = ClassName.get("org.understudy.replication.api", "StateCapture");

  private final ObjectClasses classes;
  private final StateObject object;
  private final ClassName name;
  private final ClassPath classPath;
  private final Problems problems;
  private final TypeName type;
  private final TypeName implementation;
  private final List<TypeSpec> calls = new ArrayList<>();
  private final Set<String> callNames = new HashSet<>();
  /** The method that makes and initializes an object. */
  private final String maker;

  /** @param name of the class to generate */
  ProxyWriter(ObjectClasses classes, ClassName name, ClassPath classPath, Problems problems) {
    this.classes = classes;
    this.object = classes.object();
    this.name = name;
    this.classPath = classPath;
    this.problems = problems;
    this.type = TypeName.get(classes.type());
    this.implementation = TypeName.get(classes.implementation());
    this.maker = Methods.free("empty", classes.operations());
  }

  TypeSpec write() {
    List<MethodSpec> methods = classes.methods().entrySet().stream().map(this::method).toList();
    String mechanism = object.mechanism().element();
    TypeSpec.Builder proxy = TypeSpec.classBuilder(name)
        .addJavadoc("Protects the state object $L by $L: line $L of the mapping.\n", object.name(), mechanism, object.place().line())
        .addModifiers(Modifier.FINAL)
        .superclass(ParameterizedTypeName.get(ClassName.get(PROXIES, Methods.capital(mechanism) + "Proxy"), type))
        .addSuperinterface(type)
        .avoidClashesWithNestedClasses(classes.type());
    Warnings.of(classes.operations(), classes.type(), classes.implementation()).ifPresent(proxy::addAnnotation);
    switch (object.mechanism()) {
      case REPLICATION -> replication(proxy);
      case DATABASE -> database(proxy);
      case RECONSTRUCTION -> proxy.addMethod(MethodSpec.constructorBuilder().addStatement("super($S, $L)", object.name(), maker()).build());
    }
    object.instructions().initialization().ifPresent(call -> proxy.addMethod(initialization(call)));
    return proxy.addMethods(methods).addTypes(calls).build();
  }

  /** What makes an empty object. */
  private CodeBlock maker() {
    return object.instructions().initialization().isPresent()
        ? CodeBlock.of("$T::$N", name, maker)
        : CodeBlock.of("$T::new", implementation);
  }

  private MethodSpec initialization(Call call) {
    ValueWriter values = values(null, null, null);
    MethodSpec.Builder method = MethodSpec.methodBuilder(maker)
        .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
        .returns(implementation)
        .addStatement("$T object = new $T()", implementation, implementation);
    reporting(call.place(), () -> {
      ValueWriter.Invocation invocation = values.call(classes.implementation(), call.method(), call.arguments());
      Types.checked(invocation.method()).ifPresent(thrown -> {
        throw new IllegalArgumentException(call.method() + " declares the checked exception " + thrown.getSimpleName()
            + ", and no new object may fail. Name a method that declares none.");
      });
      method.addStatement("object.$L($L)", call.method(), invocation.arguments());
    });
    return method.addStatement("return object").build();
  }

  private void replication(TypeSpec.Builder proxy) {
    boolean initialized = object.instructions().initialization().isPresent();
    CodeBlock made = initialized ? CodeBlock.of("$N()", maker) : CodeBlock.of("new $T()", implementation);
    proxy.addMethod(MethodSpec.constructorBuilder().addStatement("this($L)", made).build());
    CodeBlock form = object.instructions().checkpoint().isPresent() ? CodeBlock.of("form(object)") : CodeBlock.of("fieldsOf(object)");
    CodeBlock records = calls.stream().map(each -> CodeBlock.of("$N.class", each.name())).collect(CodeBlock.joining(", "));
    proxy.addMethod(MethodSpec.constructorBuilder()
        .addModifiers(Modifier.PRIVATE)
        .addParameter(implementation, "object")
        .addStatement("super($S, object, $L, $T.of($L))", object.name(), form, List.class, records)
        .build());
    if (object.instructions().checkpoint().isPresent() && object.instructions().restore().isPresent()) {
      form(proxy, object.instructions().checkpoint().get(), object.instructions().restore().get());
    }
  }

  private void form(TypeSpec.Builder proxy, String checkpoint, String restore) {
    check(checkpoint, byte[].class);
    check(restore, void.class, byte[].class);
    TypeSpec form = TypeSpec.anonymousClassBuilder("")
        .addSuperinterface(CAPTURE)
        .addMethod(MethodSpec.methodBuilder("captureState")
            .addAnnotation(Override.class).addModifiers(Modifier.PUBLIC).returns(byte[].class)
            .addStatement("return object.$L()", checkpoint)
            .build())
        .addMethod(MethodSpec.methodBuilder("restoreState")
            .addAnnotation(Override.class).addModifiers(Modifier.PUBLIC).addParameter(byte[].class, "state")
            .addStatement("object.$L(state)", restore)
            .build())
        .build();
    proxy.addMethod(MethodSpec.methodBuilder("form")
        .addJavadoc("The whole state, by the methods that the mapping names.\n")
        .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
        .addParameter(implementation, "object")
        .returns(CAPTURE)
        .addStatement("return $L", form)
        .build());
  }

  private void check(String method, Class<?> returned, Class<?>... parameters) {
    try {
      Method found = classes.implementation().getMethod(method, parameters);
      if (found.getReturnType() != returned) {
        throw new NoSuchMethodException(method);
      }
      Types.checked(found).ifPresent(thrown -> problems.add(object.place(), "The method " + method + ", which checkpoint or restore names,"
          + " declares the checked exception " + thrown.getSimpleName() + ". Let it throw none."));
    } catch (NoSuchMethodException e) {
      problems.add(object.place(), classes.implementation().getSimpleName() + " has no method public " + returned.getSimpleName() + " "
          + method + "(" + (parameters.length == 0 ? "" : "byte[]") + "), which checkpoint or restore names.");
    }
  }

  private void database(TypeSpec.Builder proxy) {
    CodeBlock tables = object.instructions().tables().stream()
        .map(each -> CodeBlock.of("\n$L", text(each.sql()))).collect(CodeBlock.joining(","));
    proxy.addMethod(MethodSpec.constructorBuilder()
        .addParameter(DATABASE, "database")
        .addStatement("super($S, $L, database, $T.of($L))", object.name(), maker(), List.class, tables)
        .build());
    MethodSpec.Builder load = MethodSpec.methodBuilder("load")
        .addAnnotation(Override.class)
        .addModifiers(Modifier.PROTECTED)
        .addParameter(ACTION, "sql")
        .addParameter(type, "into");
    boolean checked = false;
    CodeBlock.Builder body = CodeBlock.builder();
    Map<String, List<Class<?>>> columns = new LinkedHashMap<>();
    for (Query query : object.instructions().queries()) {
      checked |= query(body, query, columns);
    }
    if (checked) {
      load.beginControlFlow("try").addCode(body.build())
          .nextControlFlow("catch ($T e)", RuntimeException.class)
          .addStatement("throw e")
          .nextControlFlow("catch ($T e)", Exception.class)
          .addStatement("throw new $T($S + e.getMessage(), e)", IllegalStateException.class,
              "The state object " + object.name() + " cannot be loaded from the database: ")
          .endControlFlow();
    } else {
      load.addCode(body.build());
    }
    proxy.addMethod(load.build());
    proxy.addMethod(columnTypes(columns));
    proxy.addMethod(statements());
  }

  /** The types as which the queries' columns are read, which are compared with the tables when the service starts. */
  private static MethodSpec columnTypes(Map<String, List<Class<?>>> columns) {
    ParameterizedTypeName classes =
        ParameterizedTypeName.get(ClassName.get(List.class), ParameterizedTypeName.get(ClassName.get(Class.class), ANY));
    CodeBlock entries = columns.entrySet().stream()
        .map(query -> CodeBlock.of(
            "\n$T.entry($L, $T.<$T<?>>of($L))", Map.class, text(query.getKey()), List.class, Class.class,
            query.getValue().stream().map(type -> CodeBlock.of("$T.class", type)).collect(CodeBlock.joining(", "))))
        .collect(CodeBlock.joining(","));
    return MethodSpec.methodBuilder("columnTypes")
        .addAnnotation(Override.class)
        .addModifiers(Modifier.PROTECTED)
        .returns(ParameterizedTypeName.get(ClassName.get(Map.class), ClassName.get(String.class), classes))
        .addStatement("return $T.ofEntries($L)", Map.class, entries)
        .build();
  }

  /** The statements that the database parses when the service starts. */
  private MethodSpec statements() {
    Set<String> all = new LinkedHashSet<>();
    object.instructions().queries().forEach(query -> all.add(query.statement().sql()));
    for (MethodRule rule : classes.methods().values()) {
      if (rule.update().orElse(null) instanceof StateUpdate.Statements update) {
        update.statements().forEach(statement -> all.add(statement.sql()));
      }
    }
    CodeBlock list = all.stream().map(sql -> CodeBlock.of("\n$L", text(sql))).collect(CodeBlock.joining(","));
    return MethodSpec.methodBuilder("statements")
        .addAnnotation(Override.class)
        .addModifiers(Modifier.PROTECTED)
        .returns(ParameterizedTypeName.get(List.class, String.class))
        .addStatement("return $T.of($L)", List.class, list)
        .build();
  }

  /**
   * Returns whether the call declares checked exceptions.
   *
   * @param columns gets the types of the query's columns
   */
  private boolean query(CodeBlock.Builder body, Query query, Map<String, List<Class<?>>> columns) {
    boolean[] checked = {false};
    reporting(query.place(), () -> {
      ValueWriter values = values(null, null, "row");
      ValueWriter.Invocation invocation = values.call(classes.type(), query.call().method(), query.call().arguments());
      body.beginControlFlow("for ($T row : sql.query($L))", Object[].class, text(query.statement().sql()))
          .addStatement("into.$L($L)", query.call().method(), invocation.arguments())
          .endControlFlow();
      checked[0] = values.throwsChecked() || Types.checked(invocation.method()).isPresent();
      columns.put(query.statement().sql(), values.columns());
    });
    return checked[0];
  }

  /** A text as Java, in several lines if it is long. */
  private static CodeBlock text(String sql) {
    List<CodeBlock> lines = new ArrayList<>();
    int begin = 0;
    while (sql.length() - begin > MAX_LINE) {
      int end = sql.lastIndexOf(' ', begin + MAX_LINE);
      end = end <= begin ? sql.indexOf(' ', begin + MAX_LINE) : end;
      if (end < 0) {
        break;
      }
      lines.add(CodeBlock.of("$S", sql.substring(begin, end + 1)));
      begin = end + 1;
    }
    lines.add(CodeBlock.of("$S", sql.substring(begin)));
    return CodeBlock.join(lines, "\n    + ");
  }

  private MethodSpec method(Map.Entry<Operation, MethodRule> entry) {
    Operation operation = entry.getKey();
    MethodRule rule = entry.getValue();
    MethodSpec.Builder method = Methods.declaration(operation).addAnnotation(Override.class);
    if (operation.method().isAnnotationPresent(Deprecated.class)) {
      method.addAnnotation(Deprecated.class);
    }
    Methods.addParameters(method, operation);
    String object = Methods.variable("object", operation);
    boolean itself = mayReturnItself(operation);
    CodeBlock receiver = itself ? CodeBlock.of("$N", object) : CodeBlock.of("object()");
    CodeBlock call = CodeBlock.of("$L.$L($L)", receiver, operation.name(), String.join(", ", operation.names()));
    StateUpdate update = rule.update().orElse(null);
    if (update instanceof StateUpdate.Statements statements) {
      method.addStatement("updating()").beginControlFlow("try");
      if (itself) {
        method.addStatement("$T $N = object()", type, object);
      }
      statements(method, operation, call, statements);
      return method.nextControlFlow("finally").addStatement("ended()").endControlFlow().build();
    } else if (update instanceof StateUpdate.Repeat repeat) {
      reporting(rule.place(), () -> method.addStatement("repeat(new $L)", recorded(operation, repeat)));
    } else if (update instanceof StateUpdate.Capture) {
      method.addStatement("capture()");
    } else if (update instanceof StateUpdate.Memory) {
      method.addStatement("update()");
    }
    if (itself) {
      String returned = Methods.variable("returned", operation);
      return method.addStatement("$T $N = object()", type, object)
          .addStatement("$T $N = $L", TypeName.get(operation.returned()), returned, call)
          .addStatement("return $L", result(operation, returned))
          .build();
    }
    return method.addStatement(operation.isVoid() ? "$L" : "return $L", call).build();
  }

  /** Whether the method can return the object, as in {@code stock.add(one).add(two)}: the second call must reach the proxy, too. */
  private boolean mayReturnItself(Operation operation) {
    Class<?> returned = Types.raw(operation.returned());
    return returned != Object.class && returned.isAssignableFrom(classes.type());
  }

  private CodeBlock result(Operation operation, String returned) {
    return mayReturnItself(operation)
        ? CodeBlock.of("$N == $N ? this : $N", returned, Methods.variable("object", operation), returned)
        : CodeBlock.of("$N", returned);
  }

  private void statements(MethodSpec.Builder method, Operation operation, CodeBlock call, StateUpdate.Statements update) {
    String returned = Methods.variable("returned", operation);
    if (operation.isVoid()) {
      method.addStatement("$L", call);
    } else {
      method.addStatement("$T $N = $L", TypeName.get(operation.returned()), returned, call);
    }
    ValueWriter values = values(operation, returned, null);
    Place place = update.statements().get(0).place();
    reporting(place, () -> {
      update.when().ifPresent(condition -> method.beginControlFlow("if ($L)", values.condition(condition)));
      for (SqlStatement statement : update.statements()) {
        List<CodeBlock> arguments = statement.arguments().stream().map(values::forStatement).toList();
        CodeBlock list = arguments.stream().map(each -> CodeBlock.of(",\n$L", each)).collect(CodeBlock.joining(""));
        method.addStatement(arguments.isEmpty() ? "sql().update($L$L)" : "sql().update(\n$L$L)", text(statement.sql()), list);
      }
      update.when().ifPresent(condition -> method.endControlFlow());
    });
    method.addStatement("updated()");
    if (!operation.isVoid()) {
      method.addStatement("return $L", result(operation, returned));
    }
  }

  /** Adds the record of a repeated method, and returns its creation. */
  private CodeBlock recorded(Operation operation, StateUpdate.Repeat repeat) {
    if (operation.method().getTypeParameters().length > 0) {
      throw new IllegalArgumentException("A method with type parameters cannot be repeated. Use <capture/>.");
    }
    Operation repeated = operation;
    CodeBlock arguments = CodeBlock.of("$L", String.join(", ", operation.names()));
    if (repeat.call().isPresent()) {
      Call call = repeat.call().get();
      ValueWriter.Invocation invocation = values(operation, null, null).call(classes.type(), call.method(), call.arguments());
      repeated = Operation.of(classes.type(), invocation.method());
      arguments = invocation.arguments();
    }
    String record = unique(Methods.capital(operation.name()) + "Call");
    MethodSpec.Builder components = MethodSpec.constructorBuilder();
    List<String> names = repeated.names().stream().map(ProxyWriter::component).toList();
    for (int i = 0; i < names.size(); i++) {
      components.addParameter(TypeName.get(repeated.parameters().get(i)), names.get(i));
    }
    MethodSpec.Builder on = MethodSpec.methodBuilder("on")
        .addAnnotation(Override.class)
        .addModifiers(Modifier.PUBLIC)
        .addParameter(type, Methods.variable("object", repeated))
        .addStatement(
            "$N.$L($L)", Methods.variable("object", repeated), repeated.name(),
            String.join(", ", names.stream().map(each -> "this." + each).toList()));
    repeated.thrown().forEach(each -> on.addException(TypeName.get(each)));
    calls.add(TypeSpec.recordBuilder(record)
        .addJavadoc("Repeats $L at other replicas.\n", operation.name())
        .recordConstructor(components.build())
        .addSuperinterface(ParameterizedTypeName.get(CALL, type))
        .addMethod(on.build())
        .build());
    return CodeBlock.of("$L($L)", record, arguments);
  }

  /** Java refuses records with components that have names of methods of {@code Object}. */
  private static String component(String parameter) {
    boolean refused = Arrays.stream(Object.class.getDeclaredMethods())
        .anyMatch(each -> each.getParameterCount() == 0 && each.getName().equals(parameter));
    return refused ? parameter + "Value" : parameter;
  }

  private String unique(String wanted) {
    String free = wanted;
    for (int i = 2; !callNames.add(free.toLowerCase(Locale.ROOT)); i++) {
      free = wanted + i;
    }
    return free;
  }

  private ValueWriter values(Operation operation, String returned, String row) {
    List<String> names = operation == null ? List.of() : operation.names();
    return new ValueWriter(classPath, classes.type().getPackageName(), operation, names, returned, row);
  }

  private void reporting(Place place, Runnable writer) {
    try {
      writer.run();
    } catch (IllegalArgumentException e) {
      problems.add(place, e.getMessage());
    }
  }
}
