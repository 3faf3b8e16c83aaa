/** The command line of the durability compiler. */
package org.understudy.durability.compiler.cli;
