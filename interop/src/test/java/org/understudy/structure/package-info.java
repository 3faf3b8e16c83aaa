/** Rules for the source of all modules; here because every module is compiled before this one. */
package org.understudy.structure;
