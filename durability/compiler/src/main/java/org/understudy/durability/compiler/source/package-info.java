/** Writes the generated classes: a proxy for each state object, and the service. */
package org.understudy.durability.compiler.source;
