package org.understudy.durability.compiler.source;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.Modifier;
import org.understudy.durability.compiler.classes.ObjectClasses;
import org.understudy.durability.compiler.classes.Operation;
import org.understudy.durability.compiler.classes.ServiceClasses;
import org.understudy.durability.compiler.classes.Types;
import org.understudy.durability.mapping.Mechanism;

/** Writes the generated service: it makes the unmodified one with the proxies, and puts an action around each operation. */
final class ServiceWriter {
  private static final String PROXIES = "org.understudy.durability.proxy";
  private static final ClassName HOME = ClassName.get("org.understudy.replication.api", "ResourceHome");
  private static final ClassName READ = ClassName.get("org.understudy.replication.api", "Read");

  private final ServiceClasses classes;
  private final List<ClassName> proxies;
  private final CopiedAnnotations annotations;
  private final Set<Class<?>> interfaces;
  private final boolean database;
  private final TypeName service;
  /** The method that returns the unmodified service. */
  private final String unmodified;

  /** @param proxies the names of their classes in the order of the objects */
  ServiceWriter(ServiceClasses classes, List<ClassName> proxies) {
    this.classes = classes;
    this.proxies = proxies;
    this.annotations = new CopiedAnnotations(classes);
    this.interfaces = Methods.interfaces(classes.service());
    this.database = classes.objects().stream().anyMatch(each -> each.object().mechanism() == Mechanism.DATABASE);
    this.service = TypeName.get(classes.service());
    this.unmodified = Methods.free("unmodified", classes.operations());
  }

  TypeSpec write() {
    TypeSpec.Builder type = TypeSpec.classBuilder(classes.generatedName())
        .addJavadoc("$L with durable state objects.\n", classes.service().getSimpleName())
        .addJavadoc("\n<p>Each operation that is no read is one action: all its changes take effect, or none.\n")
        .addModifiers(Modifier.PUBLIC)
        .superclass(ClassName.get(PROXIES, database ? "DurableDatabaseService" : "DurableService"))
        .addAnnotations(annotations.ofService());
    Warnings.of(classes.operations(), classes.service()).ifPresent(type::addAnnotation);
    interfaces.forEach(type::avoidClashesWithNestedClasses);
    for (Class<?> each = classes.service(); each != null; each = each.getSuperclass()) {
      for (Type declared : each.getGenericInterfaces()) {
        Type resolved = Types.in(classes.service(), each, declared);
        if (Types.isAccessible(Types.raw(resolved), classes.generatedPackage())) {
          type.addSuperinterface(TypeName.get(resolved));
        }
      }
    }
    type.addField(service, "service", Modifier.PRIVATE, Modifier.FINAL);
    constructors(type);
    classes.operations().forEach(each -> type.addMethod(operation(each)));
    if (classes.arguments().contains(Optional.<ObjectClasses>empty())) {
      type.addMethod(MethodSpec.methodBuilder(unmodified)
          .addJavadoc("What its own updates of its home get.\n")
          .addModifiers(Modifier.PRIVATE)
          .returns(service)
          .addStatement("return service")
          .build());
    }
    return type.build();
  }

  private void constructors(TypeSpec.Builder type) {
    TypeName home = ParameterizedTypeName.get(HOME, ClassName.get(classes.generatedPackage(), classes.generatedName()));
    MethodSpec.Builder main = MethodSpec.constructorBuilder().addParameter(home, "home");
    if (database) {
      type.addMethod(MethodSpec.constructorBuilder()
          .addJavadoc("Makes the service with the database that the deployment configures.\n")
          .addModifiers(Modifier.PUBLIC)
          .addParameter(home, "home")
          .addStatement("this(home, $T.openDatabase(home))", ClassName.get(PROXIES, "SqlDatabaseProvider"))
          .build());
      main.addJavadoc("Makes the service with another database.\n")
          .addParameter(ProxyWriter.DATABASE, "database")
          .addStatement("super(home, database)");
    } else {
      main.addModifiers(Modifier.PUBLIC).addStatement("super(home)");
    }
    for (int i = 0; i < proxies.size(); i++) {
      ObjectClasses object = classes.objects().get(i);
      String argument = object.object().mechanism() == Mechanism.DATABASE ? "database" : "";
      main.addStatement("$T $N = durable(new $T($L))", proxies.get(i), variable(object), proxies.get(i), argument);
    }
    CodeBlock arguments = classes.arguments().stream()
        .map(each -> each.map(object -> CodeBlock.of("$N", variable(object))).orElse(CodeBlock.of("homeOf(home, this::$N)", unmodified)))
        .collect(CodeBlock.joining(", "));
    type.addMethod(main.addStatement("service = new $T($L)", service, arguments).build());
  }

  private String variable(ObjectClasses object) {
    String name = object.object().name();
    boolean taken = List.of("home", "database", "service").contains(name);
    while (taken) {
      name = name + "Object";
      taken = isObject(name);
    }
    return name;
  }

  private boolean isObject(String name) {
    return classes.objects().stream().anyMatch(each -> each.object().name().equals(name));
  }

  private MethodSpec operation(Operation operation) {
    MethodSpec.Builder method = Methods.declaration(operation);
    if (java.lang.reflect.Modifier.isFinal(operation.method().getModifiers())) {
      // JAX-WS takes no final method for an operation.
      method.addModifiers(Modifier.FINAL);
    }
    if (Methods.isOfInterface(operation, interfaces)) {
      method.addAnnotation(Override.class);
    }
    method.addAnnotations(annotations.ofOperation(operation.method()));
    boolean read = classes.reads().contains(operation);
    if (read && Types.annotation(operation.method(), READ.canonicalName()).isEmpty() && declaredRead(operation)) {
      method.addAnnotation(READ);
    }
    List<List<AnnotationSpec>> parameters =
        Arrays.stream(operation.method().getParameters()).map(annotations::of).toList();
    Methods.addParameters(method, operation, parameters);
    String field = operation.names().contains("service") ? "this.service" : "service";
    CodeBlock call = CodeBlock.of("$L.$L($L)", field, operation.name(), String.join(", ", operation.names()));
    if (classes.unbracketed().contains(operation)) {
      return method.addStatement(operation.isVoid() ? "$L" : "return $L", call).build();
    }
    action(method, operation, call);
    return method.build();
  }

  private boolean declaredRead(Operation operation) {
    return classes.mapping().operations().stream().anyMatch(rule -> rule.read() && rule.name().equals(operation.name()));
  }

  private void action(MethodSpec.Builder method, Operation operation, CodeBlock call) {
    String keep = Methods.variable("keep", operation);
    String returned = Methods.variable("returned", operation);
    String fault = Methods.variable("fault", operation);
    method.addStatement("boolean $N = false", keep).addStatement("startA()").beginControlFlow("try");
    if (operation.isVoid()) {
      method.addStatement("$L", call).addStatement("$N = true", keep);
    } else {
      method.addStatement("$T $N = $L", TypeName.get(operation.returned()), returned, call)
          .addStatement("$N = true", keep)
          .addStatement("return $N", returned);
    }
    for (FaultClauses.Clause clause : FaultClauses.of(operation, classes.faults())) {
      CodeBlock types = clause.types().stream().map(each -> CodeBlock.of("$T", each)).collect(CodeBlock.joining(" | "));
      method.nextControlFlow("catch ($L $N)", types, fault);
      if (clause.keep()) {
        method.addComment("The changes remain.").addStatement("$N = true", keep);
      } else {
        method.addComment("The changes are undone.");
      }
      method.addStatement("throw $N", fault);
    }
    method.nextControlFlow("finally").addStatement("endA($N)", keep).endControlFlow();
  }
}
