/**
 * Fault-tolerant JAX-WS clients: the application keeps its plain port, and calls follow the service to its new primary.
 *
 * <pre>{@code
 * CounterPortType counter = FaultTolerant.client(CounterPortType.class, wsdl,
 *     List.of(URI.create("http://a:8080/counter/services/CounterService"),
 *             URI.create("http://b:8080/counter/services/CounterService")));
 * }</pre>
 *
 * <p>Start at {@link org.understudy.client.FaultTolerant}. The sub-packages are not API, and build on each other in this
 * order: {@code view}, {@code envelope}, {@code connection}, {@code invocation}, {@code session}.
 */
package org.understudy.client;
