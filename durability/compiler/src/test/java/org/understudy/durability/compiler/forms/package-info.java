/** Forms of Java that services and state objects may have. */
package org.understudy.durability.compiler.forms;
